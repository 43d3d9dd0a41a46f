package dev.contrail.operations.index;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.operations.StreamReading;
import io.nats.client.Connection;
import io.nats.client.ConsumeOptions;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.MessageConsumer;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.OrderedConsumerConfiguration;
import io.nats.client.api.StreamState;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the headers of all that a stream holds, in order, and then of what comes. It is looked
 * after from outside, by {@link #check}: whatever is wrong with its consumer, a new one goes on
 * where it stopped.
 */
final class StreamFollower implements AutoCloseable {
  private static final int CONSUMER_NOT_FOUND = 10014;
  private static final int BATCH = 2_000;
  private static final long EXPIRES_MILLIS = 10_000;
  private static final int CHECKS_UNTIL_STUCK = 2;

  private final Connection connection;
  private final JetStreamOptions options;
  private final String stream;
  private final StreamReading reading;
  private final Consumer<Message> sink;

  private @Nullable MessageConsumer consumer;
  private int generation;
  private long lastSeen;
  private @Nullable String lastConsumer;
  private long lastOfConsumer;
  private boolean caughtUp;
  private long seenAtCheck = -1;
  private long givenUpOn;
  private int checksWithoutProgress;

  /**
   * Of a stream.
   *
   * @param sink takes each message, one at a time; what it throws is for it to deal with
   */
  StreamFollower(
      Connection connection, JetStreamOptions options, String stream, Consumer<Message> sink) {
    this.connection = connection;
    this.options = options;
    this.stream = stream;
    this.reading = new StreamReading(connection, options, stream);
    this.sink = sink;
  }

  /**
   * Begins.
   *
   * @param startSequence the first that is wanted
   * @param state of the stream, as it is now
   * @throws ContrailException when the stream cannot be read
   */
  synchronized void begin(long startSequence, StreamState state) {
    lastSeen = startSequence - 1;
    caughtUp = state.getMsgCount() == 0 || startSequence > state.getLastSequence();
    consume();
  }

  private void consume() {
    stop();
    int mine = generation;
    try {
      consumer =
          connection
              .getStreamContext(stream, options)
              .createOrderedConsumer(
                  new OrderedConsumerConfiguration()
                      .deliverPolicy(DeliverPolicy.ByStartSequence)
                      .startSequence(Math.max(1, lastSeen + 1))
                      .headersOnly(true))
              .consume(
                  ConsumeOptions.builder().batchSize(BATCH).expiresIn(EXPIRES_MILLIS).build(),
                  message -> received(mine, message));
    } catch (JetStreamApiException e) {
      throw reading.refused(e);
    } catch (IOException | IllegalStateException e) {
      throw reading.unanswered(e);
    }
  }

  private synchronized void received(int from, Message message) {
    if (from != generation || !message.isJetStream()) {
      return;
    }
    long sequence = message.metaData().streamSequence();
    if (sequence > lastSeen) {
      sink.accept(message);
      lastSeen = sequence;
      lastConsumer = message.metaData().getConsumer();
      lastOfConsumer = message.metaData().consumerSequence();
      if (!caughtUp && message.metaData().pendingCount() == 0) {
        caughtUp = true;
        notifyAll();
      }
    }
  }

  /** Whether all that was there at the beginning has been read. */
  synchronized boolean isCaughtUp() {
    return caughtUp;
  }

  /** The newest sequence that was read. */
  synchronized long lastSeen() {
    return lastSeen;
  }

  /** Waits until it has caught up, at most until that time. */
  synchronized void awaitCaughtUp(long endNanos) throws InterruptedException {
    long left = endNanos - System.nanoTime();
    while (!caughtUp && left > 0) {
      wait(left / 1_000_000 + 1);
      left = endNanos - System.nanoTime();
    }
  }

  /**
   * Holds it against its stream. What stands still twice although there is more is begun anew; the
   * newest sequence may be of a message that was deleted, so that helps but once for each.
   *
   * @throws ContrailException when the stream cannot be read
   */
  synchronized void check(StreamState state) {
    if (!caughtUp
        && (state.getMsgCount() == 0 || (seenAtCheck == lastSeen && isNothingPending()))) {
      caughtUp = true;
      notifyAll();
    }
    boolean behind = state.getLastSequence() > lastSeen && state.getLastSequence() != givenUpOn;
    checksWithoutProgress = behind && seenAtCheck == lastSeen ? checksWithoutProgress + 1 : 0;
    seenAtCheck = lastSeen;
    if (checksWithoutProgress >= CHECKS_UNTIL_STUCK) {
      checksWithoutProgress = 0;
      givenUpOn = state.getLastSequence();
      consume();
    }
  }

  /**
   * Whether nothing is to come, and nothing on its way. Of messages that were deleted before they
   * were delivered, none tells that it is the last.
   */
  private boolean isNothingPending() {
    if (consumer == null) {
      return false;
    }
    try {
      ConsumerInfo info = consumer.getConsumerInfo();
      long received = info.getName().equals(lastConsumer) ? lastOfConsumer : 0;
      return info.getNumPending() == 0 && info.getDelivered().getConsumerSequence() <= received;
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == CONSUMER_NOT_FOUND) {
        // Another is about to take its place, and is asked at the next check.
        return false;
      }
      throw reading.refused(e);
    } catch (IOException | IllegalStateException e) {
      throw reading.unanswered(e);
    }
  }

  private void stop() {
    generation++;
    if (consumer != null) {
      consumer.stop();
      consumer = null;
    }
  }

  @Override
  public synchronized void close() {
    stop();
  }
}
