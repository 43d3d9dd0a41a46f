package dev.contrail.operations.index;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.operations.StreamReading;
import io.nats.client.Connection;
import io.nats.client.FetchConsumeOptions;
import io.nats.client.FetchConsumer;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.JetStreamStatusCheckedException;
import io.nats.client.Message;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.StreamState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Reads a stretch of a stream, and no more than that. */
final class HeadWindow {
  private static final long PATIENCE_MILLIS = 10_000;
  private static final long PAUSE_MILLIS = 50;
  private static final Duration LASTS = Duration.ofSeconds(30);

  private final Connection connection;
  private final JetStreamOptions options;
  private final String stream;
  private final StreamReading reading;

  HeadWindow(Connection connection, JetStreamOptions options, String stream) {
    this.connection = connection;
    this.options = options;
    this.stream = stream;
    this.reading = new StreamReading(connection, options, stream);
  }

  private interface Question<T> {
    T ask(JetStreamManagement server)
        throws IOException, JetStreamApiException, InterruptedException;
  }

  /**
   * The stream as it is.
   *
   * @throws ContrailException when it cannot be read
   */
  StreamState state() throws InterruptedException {
    return asked(server -> server.getStreamInfo(stream).getStreamState());
  }

  /** How many messages there are on those subjects. */
  long count(String subjects) throws InterruptedException {
    return asked(
        server -> {
          ConsumerInfo consumer = consumer(server, subjects, 1, true);
          server.deleteConsumer(stream, consumer.getName());
          return consumer.getNumPending();
        });
  }

  /**
   * Those on the subjects whose sequences are from the first up to the last, in order.
   *
   * @param headersOnly whether payloads stay behind
   */
  List<Message> read(String subjects, long first, long last, boolean headersOnly)
      throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
    Optional<List<Message>> messages = readOnce(subjects, first, last, headersOnly);
    // A cluster may not know the way to the consumer yet that it has just made, and says so once.
    while (messages.isEmpty() && System.nanoTime() - end < 0) {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      messages = readOnce(subjects, first, last, headersOnly);
    }
    return messages.orElseThrow(
        () -> new ContrailException("The server stopped sending what " + stream + " holds."));
  }

  /** Empty where it ends before its time. */
  private Optional<List<Message>> readOnce(
      String subjects, long first, long last, boolean headersOnly) throws InterruptedException {
    return asked(
        server -> {
          ConsumerInfo consumer = consumer(server, subjects, first, headersOnly);
          try {
            int most = (int) Math.min(consumer.getNumPending(), last - first + 1);
            return most == 0 ? Optional.of(List.of()) : fetch(consumer.getName(), most, last);
          } finally {
            server.deleteConsumer(stream, consumer.getName());
          }
        });
  }

  private Optional<List<Message>> fetch(String consumer, int most, long last)
      throws IOException, JetStreamApiException, InterruptedException {
    List<Message> messages = new ArrayList<>(most);
    try (FetchConsumer fetch =
        connection
            .getConsumerContext(stream, consumer, options)
            .fetch(
                FetchConsumeOptions.builder()
                    .maxMessages(most)
                    .expiresIn(PATIENCE_MILLIS)
                    .build())) {
      for (int number = 1; number <= most; number++) {
        Message next = fetch.nextMessage();
        if (next == null || next.metaData().consumerSequence() != number) {
          return Optional.empty();
        }
        if (next.metaData().streamSequence() > last) {
          break;
        }
        messages.add(next);
      }
    } catch (JetStreamStatusCheckedException e) {
      throw reading.unanswered(e);
    } catch (IOException | JetStreamApiException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw reading.unanswered(e);
    }
    return Optional.of(messages);
  }

  private ConsumerInfo consumer(
      JetStreamManagement server, String subjects, long first, boolean headersOnly)
      throws IOException, JetStreamApiException {
    return server.createConsumer(
        stream,
        ConsumerConfiguration.builder()
            .filterSubject(subjects)
            .deliverPolicy(DeliverPolicy.ByStartSequence)
            .startSequence(Math.max(1, first))
            .ackPolicy(AckPolicy.None)
            .headersOnly(headersOnly)
            .memStorage(true)
            .numReplicas(1)
            .inactiveThreshold(LASTS)
            .build());
  }

  private <T> T asked(Question<T> question) throws InterruptedException {
    try {
      return question.ask(connection.jetStreamManagement(options));
    } catch (JetStreamApiException e) {
      throw reading.refused(e);
    } catch (IOException | IllegalStateException e) {
      throw reading.unanswered(e);
    }
  }
}
