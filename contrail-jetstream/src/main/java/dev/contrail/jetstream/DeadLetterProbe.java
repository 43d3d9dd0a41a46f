package dev.contrail.jetstream;

import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Rule;
import io.nats.client.Connection;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * Finds out whether the user of a connection may publish dead letters, and leaves nothing behind:
 * what it publishes expects to be stored in a stream that cannot be, so the server refuses it.
 */
public final class DeadLetterProbe {
  private static final String EXPECTED_STREAM = "Nats-Expected-Stream";
  private static final String IMPOSSIBLE = "CONTRAIL_PROBE_THAT_IS_NEVER_STORED";
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Connection connection;
  private final Names names;

  public DeadLetterProbe(Connection connection, Names names) {
    this.connection = connection;
    this.names = names;
  }

  /** That the user may not publish the dead letters of that consumer; empty when it may. */
  public Optional<Finding> denial(String stream, String consumer) {
    String subject = names.prefix() + ".dlq." + stream + "." + consumer + ".probe.0";
    connection.clearLastError();
    connection.publish(
        NatsMessage.builder()
            .subject(subject)
            .headers(new Headers().put(EXPECTED_STREAM, IMPOSSIBLE))
            .build());
    try {
      // The server's refusal comes before its answer to the ping that this sends.
      connection.flush(PATIENCE);
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
    return JetStreamFailure.permissionsViolation(connection)
        .filter(violation -> JetStreamFailure.isAbout(violation, subject))
        .map(
            violation ->
                Finding.of(
                    Rule.NO_DEAD_LETTER_PERMISSION,
                    stream,
                    consumer,
                    "this user may not publish to " + names.deadLetterSubjects(stream, consumer),
                    List.of(
                        "contrail init --print --stream "
                            + NatsCommand.word(stream)
                            + " --consumer "
                            + NatsCommand.word(consumer))));
  }
}
