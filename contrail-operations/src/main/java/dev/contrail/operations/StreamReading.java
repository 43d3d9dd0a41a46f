package dev.contrail.operations;

import dev.contrail.jetstream.ContrailException;
import io.nats.client.Connection;
import io.nats.client.IterableConsumer;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.JetStreamStatusCheckedException;
import io.nats.client.Message;
import io.nats.client.api.OrderedConsumerConfiguration;
import io.nats.client.api.StreamInfoOptions;
import io.nats.client.api.StreamState;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Reads what a stream of Contrail's own holds at this moment, from its first message to its last.
 */
public final class StreamReading {
  private static final int STREAM_NOT_FOUND = 10059;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Connection connection;
  private final JetStreamOptions options;
  private final String stream;

  public StreamReading(Connection connection, JetStreamOptions options, String stream) {
    this.connection = connection;
    this.options = options;
    this.stream = stream;
  }

  /**
   * Hands over every message of the subjects that is there now, in order, and maybe some that come
   * meanwhile.
   *
   * @throws ContrailException when the stream cannot be read
   */
  public void read(String subjects, OrderedConsumerConfiguration how, Consumer<Message> sink)
      throws InterruptedException {
    try {
      OptionalLong last = last(subjects);
      if (last.isEmpty()) {
        return;
      }
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (!isRead(subjects, how, sink, last.getAsLong())) {
        if (System.nanoTime() - end >= 0) {
          throw stopped();
        }
        TimeUnit.NANOSECONDS.sleep(PAUSE_NANOS);
      }
    } catch (JetStreamApiException e) {
      throw refused(e);
    } catch (IOException | JetStreamStatusCheckedException e) {
      throw unanswered(e);
    } catch (InterruptedException | ContrailException e) {
      throw e;
    } catch (Exception e) {
      throw unanswered(e);
    }
  }

  /**
   * Hands over all; false where not even the first one came. So it is while a cluster does not know
   * the way to the consumer that it has just made: the client asks once, and hears of nobody.
   */
  private boolean isRead(
      String subjects, OrderedConsumerConfiguration how, Consumer<Message> sink, long last)
      throws Exception {
    try (IterableConsumer messages =
        connection
            .getStreamContext(stream, options)
            .createOrderedConsumer(how.filterSubject(subjects))
            .iterate()) {
      Message next = messages.nextMessage(PATIENCE);
      if (next == null) {
        return false;
      }
      while (true) {
        sink.accept(next);
        // To the end as it was: while somebody writes, there is no other.
        if (next.metaData().pendingCount() == 0 || next.metaData().streamSequence() >= last) {
          return true;
        }
        next = messages.nextMessage(PATIENCE);
        if (next == null) {
          throw stopped();
        }
      }
    }
  }

  private ContrailException stopped() {
    return new ContrailException(
        "The server stopped sending what " + stream + " holds before its end.");
  }

  /** Where the stream ends now; empty where it holds none of the subjects. */
  private OptionalLong last(String subjects) throws IOException, JetStreamApiException {
    StreamState state =
        connection
            .jetStreamManagement(options)
            .getStreamInfo(stream, StreamInfoOptions.filterSubjects(subjects))
            .getStreamState();
    return state.getSubjects().isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(state.getLastSequence());
  }

  /** What to throw when the server answers with an error. */
  public ContrailException refused(JetStreamApiException e) {
    return e.getApiErrorCode() == STREAM_NOT_FOUND
        ? new ContrailException(
            "There is no stream "
                + stream
                + " on this server: no worker has run here yet; “contrail init” creates it.",
            e)
        : new ContrailException(
            "The server refuses to read " + stream + ": " + e.getErrorDescription(), e);
  }

  /** What to throw when the server does not answer, or cannot be asked. */
  public ContrailException unanswered(Exception e) {
    if (e instanceof IllegalStateException) {
      // So the client says that it is not connected.
      return new ContrailException(
          "There is no connection to the NATS server to read " + stream + " over.", e);
    }
    return new ContrailException(
        "No answer from JetStream when reading "
            + stream
            + ": is JetStream on for this account, and may this user read the stream?",
        e);
  }
}
