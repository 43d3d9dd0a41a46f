package dev.contrail.operations;

import dev.contrail.evidence.Incarnation;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.ledger.LedgerScope;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.ConsumerInfo;
import java.io.IOException;
import java.time.Duration;

/**
 * What a ledger kept elsewhere is held against.
 *
 * @param ackFloor all messages up to this one are acked
 */
public record ConsumerState(LedgerScope scope, Duration ackWait, long ackFloor) {
  /**
   * Asks the server.
   *
   * @throws ContrailException when there is no such consumer, or no answer
   */
  public static ConsumerState of(
      Connection connection, JetStreamOptions options, String stream, String consumer) {
    return asked(
        connection,
        options,
        stream,
        management -> {
          ConsumerInfo info = management.getConsumerInfo(stream, consumer);
          return new ConsumerState(
              scope(management, stream, consumer),
              info.getConsumerConfiguration().getAckWait(),
              info.getAckFloor().getStreamSequence());
        });
  }

  /**
   * Whose completions a ledger keeps, of a consumer that may be gone.
   *
   * @throws ContrailException when there is no such stream, or no answer
   */
  public static LedgerScope scope(
      Connection connection, JetStreamOptions options, String stream, String consumer) {
    return asked(connection, options, stream, server -> scope(server, stream, consumer));
  }

  private static LedgerScope scope(JetStreamManagement server, String stream, String consumer)
      throws IOException, JetStreamApiException {
    return new LedgerScope(
        stream, consumer, Incarnation.of(server.getStreamInfo(stream).getCreateTime().toInstant()));
  }

  private interface Question<T> {
    T ask(JetStreamManagement server) throws IOException, JetStreamApiException;
  }

  private static <T> T asked(
      Connection connection, JetStreamOptions options, String stream, Question<T> question) {
    try {
      return question.ask(connection.jetStreamManagement(options));
    } catch (JetStreamApiException e) {
      throw new ContrailException("Stream " + stream + ": " + e.getErrorDescription() + ".", e);
    } catch (IOException | IllegalStateException e) {
      throw new ContrailException("No answer from JetStream about stream " + stream + ".", e);
    }
  }
}
