package dev.contrail.jetstream;

import dev.contrail.Durations;
import dev.contrail.evidence.Incarnation;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.PriorityPolicy;
import io.nats.client.api.ServerInfo;
import io.nats.client.api.StreamInfo;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the durable consumer, or adopts the one that is there; never changes one unasked. */
final class ConsumerSetup {
  private static final Logger log = LoggerFactory.getLogger(ConsumerSetup.class);
  private static final int STREAM_NOT_FOUND = 10059;
  private static final int CONSUMER_NOT_FOUND = 10014;

  /** By this a consumer that Contrail made is known, and made again when somebody deletes it. */
  static final String MADE_BY_CONTRAIL = "made by Contrail";

  /**
   * A consumer as it is on the server.
   *
   * @param messageTtl whether the stream heeds a message's own time to live
   * @param ours whether Contrail made it
   */
  record Ready(
      String incarnation,
      int replicas,
      Duration ackWait,
      Optional<Duration> maxAge,
      boolean messageTtl,
      PullLimits pulls,
      boolean ours) {}

  /** What the consumer allows a pull to ask for. */
  record PullLimits(int batch, long bytes, Optional<Duration> expires) {
    static PullLimits of(ConsumerConfiguration consumer) {
      long batch = consumer.getMaxBatch();
      long bytes = consumer.getMaxBytes();
      return new PullLimits(
          batch > 0 ? (int) Math.min(batch, Integer.MAX_VALUE) : Integer.MAX_VALUE,
          bytes > 0 ? bytes : Long.MAX_VALUE,
          Optional.ofNullable(consumer.getMaxExpires()).filter(most -> !most.isZero()));
    }
  }

  private final Connection connection;
  private final JetStreamManagement management;
  private final ConsumerSettings settings;

  ConsumerSetup(Connection connection, JetStreamManagement management, ConsumerSettings settings) {
    this.connection = connection;
    this.management = management;
    this.settings = settings;
  }

  /**
   * Makes or adopts the consumer.
   *
   * @throws ContrailException when the stream is missing, the server does not let us, or what is
   *     there would break a promise
   */
  Ready prepare() {
    StreamInfo stream = stream();
    Optional<ConsumerInfo> existing = consumer();
    ConsumerConfiguration made =
        existing.isPresent() ? adopt(existing.get().getConsumerConfiguration()) : create();
    WorkerRules.ofStream(stream, longestWait(made))
        .forEach(finding -> log.warn("{}: {}", settings.stream(), finding));
    return ready(stream, made);
  }

  private Duration longestWait(ConsumerConfiguration consumer) {
    return WorkerRules.effectiveAckWait(consumer, settings.policy().retry().longestDelay());
  }

  boolean isConnected() {
    return connection.getStatus() == Connection.Status.CONNECTED;
  }

  /** Which stream of that name it is. */
  String incarnation() {
    return Incarnation.of(stream().getCreateTime().toInstant());
  }

  /** Looks again at what is there; empty when the consumer is gone. */
  Optional<Ready> look(Consumer<ConsumerInfo> watch) {
    StreamInfo stream = stream();
    Optional<ConsumerInfo> found = consumer();
    found.ifPresent(watch);
    return found.map(info -> ready(stream, checked(info.getConsumerConfiguration())));
  }

  private Ready ready(StreamInfo stream, ConsumerConfiguration consumer) {
    Duration maxAge = stream.getConfiguration().getMaxAge();
    return new Ready(
        Incarnation.of(stream.getCreateTime().toInstant()),
        stream.getConfiguration().getReplicas(),
        Optional.ofNullable(consumer.getAckWait()).orElse(ConsumerSettings.DEFAULT_ACK_WAIT),
        Optional.ofNullable(maxAge).filter(age -> !age.isZero()),
        stream.getConfiguration().getAllowMessageTtl(),
        PullLimits.of(consumer),
        MADE_BY_CONTRAIL.equals(consumer.getDescription()));
  }

  private StreamInfo stream() {
    connection.clearLastError();
    try {
      return management.getStreamInfo(settings.stream());
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == STREAM_NOT_FOUND) {
        throw new StreamNotFoundException(settings.stream());
      }
      throw JetStreamFailure.refused(connection, "look at stream " + settings.stream(), e);
    } catch (IOException | IllegalStateException e) {
      throw JetStreamFailure.unanswered(
          connection, "look at stream " + settings.stream(), e, "STREAM.INFO." + settings.stream());
    }
  }

  private Optional<ConsumerInfo> consumer() {
    connection.clearLastError();
    try {
      return Optional.of(management.getConsumerInfo(settings.stream(), settings.name()));
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == CONSUMER_NOT_FOUND) {
        return Optional.empty();
      }
      throw JetStreamFailure.refused(connection, "look at consumer " + settings.name(), e);
    } catch (IOException | IllegalStateException e) {
      throw JetStreamFailure.unanswered(
          connection,
          "look at consumer " + settings.name(),
          e,
          "CONSUMER.INFO." + settings.stream() + "." + settings.name());
    }
  }

  private ConsumerConfiguration create() {
    ConsumerConfiguration.Builder wanted =
        ConsumerConfiguration.builder()
            .durable(settings.name())
            .description(MADE_BY_CONTRAIL)
            .deliverPolicy(DeliverPolicy.All);
    return save(fitting(wanted, settings.maxAckPending()), "made");
  }

  private ConsumerConfiguration adopt(ConsumerConfiguration existing) {
    List<ConsumerDifference> differences =
        ConsumerDifference.between(Instant.now(), existing, settings);
    boolean update = settings.update() && !differences.isEmpty();
    ConsumerConfiguration adopted = update ? update(existing, differences) : checked(existing);
    ConsumerDifference.between(Instant.now(), adopted, settings).stream()
        .filter(difference -> difference.severity() == ConsumerDifference.Severity.NOTE)
        .forEach(
            difference -> log.warn("{}/{}: {}", settings.stream(), settings.name(), difference));
    return adopted;
  }

  private ConsumerConfiguration update(
      ConsumerConfiguration existing, List<ConsumerDifference> differences) {
    refuse(differences, ConsumerDifference.Severity.HOPELESS, "delete it and start again");
    long pending = existing.getMaxAckPending();
    ConsumerConfiguration.Builder updated = ConsumerConfiguration.builder(existing);
    if (!existing.getBackoff().isEmpty()) {
      // The server has put the first of them in place of the AckWait that was meant.
      updated.ackWait(ConsumerSettings.DEFAULT_ACK_WAIT);
    }
    if (existing.getPriorityGroups() != null) {
      updated.priorityGroups(new String[0]).priorityPolicy(PriorityPolicy.None);
    }
    // More than is asked for, or no limit at all (-1), is left as it is.
    return save(
        fitting(updated, pending < 0 ? pending : Math.max(pending, settings.maxAckPending())),
        "updated");
  }

  private ConsumerConfiguration checked(ConsumerConfiguration existing) {
    List<ConsumerDifference> differences =
        ConsumerDifference.between(Instant.now(), existing, settings);
    refuse(differences, ConsumerDifference.Severity.HOPELESS, "delete it and start again");
    refuse(
        differences,
        ConsumerDifference.Severity.REFUSED,
        "change it, or allow Contrail to (updateConsumer() in code, --update on the command line)");
    return existing;
  }

  private void refuse(
      List<ConsumerDifference> differences, ConsumerDifference.Severity severity, String mend) {
    String reasons =
        differences.stream()
            .filter(difference -> difference.severity() == severity)
            .map(ConsumerDifference::toString)
            .collect(Collectors.joining("; "));
    if (!reasons.isEmpty()) {
      throw new UnsafeConsumerException(
          "Consumer "
              + settings.name()
              + " of stream "
              + settings.stream()
              + " is not safe to work with: "
              + reasons
              + ". To mend it, "
              + mend
              + ".");
    }
  }

  private ConsumerConfiguration fitting(ConsumerConfiguration.Builder builder, long maxAckPending) {
    builder
        .ackPolicy(AckPolicy.Explicit)
        .maxDeliver(-1)
        .maxAckPending(maxAckPending)
        .backoff(new Duration[0])
        .headersOnly(false);
    ConsumerConfiguration plain = builder.build();
    Duration existing = plain.getAckWait();
    builder.ackWait(
        settings.ackWait().orElse(existing == null ? ConsumerSettings.DEFAULT_ACK_WAIT : existing));
    if (!settings.filters().isEmpty()) {
      builder.filterSubjects(settings.filters());
    }
    return builder.build();
  }

  private ConsumerConfiguration save(ConsumerConfiguration wanted, String done) {
    requireThatFiltersAreKnown();
    connection.clearLastError();
    try {
      ConsumerInfo saved = management.addOrUpdateConsumer(settings.stream(), wanted);
      ConsumerConfiguration actual = saved.getConsumerConfiguration();
      log.info(
          "{}/{}: consumer {} (AckWait {}, MaxDeliver {}, MaxAckPending {})",
          settings.stream(),
          settings.name(),
          done,
          Durations.format(actual.getAckWait()),
          actual.getMaxDeliver(),
          actual.getMaxAckPending());
      return actual;
    } catch (JetStreamApiException e) {
      throw JetStreamFailure.refused(connection, "make consumer " + settings.name(), e);
    } catch (IOException | IllegalStateException e) {
      throw JetStreamFailure.unanswered(
          connection,
          "make consumer " + settings.name(),
          e,
          "CREATE." + settings.stream() + "." + settings.name());
    } catch (IllegalArgumentException e) {
      // The client checks some of it before the server does.
      throw new ContrailException(
          "Consumer " + settings.name() + " cannot be made: " + e.getMessage(), e);
    }
  }

  private void requireThatFiltersAreKnown() {
    ServerInfo server = connection.getServerInfo();
    if (settings.filters().size() > 1 && !server.isSameOrNewerThanVersion("2.10.0")) {
      throw new ContrailException(
          "Consumer "
              + settings.name()
              + " cannot filter "
              + String.join(" and ", settings.filters())
              + ": nats-server "
              + server.getVersion()
              + " takes one filter only, several need 2.10; name one, or a wildcard for all.");
    }
  }
}
