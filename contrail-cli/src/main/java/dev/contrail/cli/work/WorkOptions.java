package dev.contrail.cli.work;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.NatsNames;
import dev.contrail.cli.work.WorkSettings.ConsumerSettings;
import dev.contrail.cli.work.WorkSettings.NewStream;
import dev.contrail.cli.work.WorkSettings.Records;
import dev.contrail.cli.work.WorkSettings.Work;
import io.nats.client.api.RetentionPolicy;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** All that can be said to {@code contrail work}. */
final class WorkOptions {
  /** The key of the setting that the NATS variable for it sets as well. */
  static final String ACK_WAIT_KEY = "work.ack-wait";

  /** The key of the setting that has a short variable as well. */
  static final String LEDGER_KEY = "work.ledger";

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "STREAM",
      converter = NatsNames.Name.class,
      description = "the stream to work on")
  @Nullable String streamArgument;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "CONSUMER",
      converter = NatsNames.Name.class,
      description = "the durable consumer, created if it is missing")
  @Nullable String consumerArgument;

  @Mixin HandlerOptions handler = new HandlerOptions();
  @Mixin ConsumerOptions consumer = new ConsumerOptions();
  @Mixin RecordOptions records = new RecordOptions();
  @Mixin StreamOptions stream = new StreamOptions();
  @Mixin MetricsOptions metrics = new MetricsOptions();

  /**
   * @param onCommandLine whether an option was given there, and not in contrail.yaml or a variable
   */
  WorkSettings settings(Predicate<String> onCommandLine) {
    return new WorkSettings(
        either("STREAM", streamArgument, "--stream", consumer.stream),
        either("CONSUMER", consumerArgument, "--consumer", consumer.consumer),
        work(onCommandLine),
        consumerSettings(),
        new Records(
            records.ledger,
            records.ledgerGeneration,
            records.allowFewerReplicas,
            records.redactStored,
            !records.noReport),
        newStream(),
        metrics.probes(),
        handler.drainTimeout);
  }

  private Work work(Predicate<String> onCommandLine) {
    Optional<Work> command =
        Optional.ofNullable(handler.exec)
            .filter(text -> !text.isBlank())
            .map(text -> new Work.Command(text, handler.showOutput));
    Optional<Work> post = Optional.ofNullable(handler.http).map(Work.Post::new);
    if (command.isEmpty() || post.isEmpty()) {
      return command
          .or(() -> post)
          .orElseThrow(
              () ->
                  CommandFailure.usage(
                      "neither --exec nor --http is given; say what to do with each message"));
    }
    boolean exec = onCommandLine.test("--exec");
    if (exec == onCommandLine.test("--http")) {
      throw CommandFailure.usage("both --exec and --http are given; choose one");
    }
    return exec ? command.get() : post.get();
  }

  private ConsumerSettings consumerSettings() {
    return new ConsumerSettings(
        consumer.filters,
        optional(handler.concurrency),
        Optional.ofNullable(consumer.ackWait),
        optional(consumer.deliveryLimit),
        Optional.ofNullable(handler.handlerTimeout),
        consumer.update);
  }

  private Optional<NewStream> newStream() {
    if (!stream.create) {
      if (!stream.subjects.isEmpty() || stream.retention != null) {
        throw CommandFailure.usage("--subjects and --retention go with --create only");
      }
      return Optional.empty();
    }
    if (stream.subjects.isEmpty()) {
      throw CommandFailure.usage("--create needs --subjects: what is the new stream to hold?");
    }
    RetentionPolicy retention =
        stream.retention == null ? RetentionPolicy.Limits : stream.retention;
    return Optional.of(new NewStream(stream.subjects, retention));
  }

  private static String either(
      String label, @Nullable String argument, String flag, @Nullable String option) {
    // Where both are there, the option may come from contrail.yaml, and the argument is nearer.
    String value = argument != null ? argument : option;
    if (value == null) {
      throw CommandFailure.usage(label + " is missing; give it as an argument or with " + flag);
    }
    return value;
  }

  private static OptionalInt optional(@Nullable Integer number) {
    return number == null ? OptionalInt.empty() : OptionalInt.of(number);
  }
}
