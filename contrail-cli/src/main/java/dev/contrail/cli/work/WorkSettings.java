package dev.contrail.cli.work;

import dev.contrail.cli.command.LedgerSetting;
import io.nats.client.api.RetentionPolicy;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Everything that {@code contrail work} was told, checked. What is empty is left to the defaults of
 * the consumer.
 *
 * @param create the stream to create if it is missing
 * @param probes where health and metrics are answered, if they are
 * @param drainTimeout how long messages may take to finish once the worker is told to stop
 */
record WorkSettings(
    String stream,
    String consumer,
    Work work,
    ConsumerSettings consumerSettings,
    Records records,
    Optional<NewStream> create,
    Optional<Probes> probes,
    Duration drainTimeout) {
  /** What is done for each message. */
  sealed interface Work {
    /** Runs a shell command. */
    record Command(String command, boolean showOutput) implements Work {}

    /** Posts to a URL. */
    record Post(URI url) implements Work {}
  }

  /**
   * @param update whether an existing consumer may be changed to these settings
   */
  record ConsumerSettings(
      List<String> filters,
      OptionalInt concurrency,
      Optional<Duration> ackWait,
      OptionalInt deliveryLimit,
      Optional<Duration> handlerTimeout,
      boolean update) {
    ConsumerSettings {
      filters = List.copyOf(filters);
    }
  }

  /**
   * @param ledgerGeneration which of the consumer's ledgers; another one begins empty
   * @param allowFewerReplicas whether they may be on fewer servers than the stream
   * @param redact whether dead letters are stored without what is not to be seen
   * @param report whether the worker tells what it is doing
   */
  record Records(
      LedgerSetting ledger,
      int ledgerGeneration,
      boolean allowFewerReplicas,
      boolean redact,
      boolean report) {}

  /**
   * @param anyName whether they are asked for under any name that leads there
   */
  record Probes(InetAddress address, int port, boolean anyName) {}

  record NewStream(List<String> subjects, RetentionPolicy retention) {
    NewStream {
      subjects = List.copyOf(subjects);
    }
  }
}
