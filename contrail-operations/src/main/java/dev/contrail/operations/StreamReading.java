package dev.contrail.operations;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.ledger.log.LedgerTimes;
import io.nats.client.Connection;
import io.nats.client.IterableConsumer;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.JetStreamStatusCheckedException;
import io.nats.client.Message;
import io.nats.client.NUID;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.OrderedConsumerConfiguration;
import io.nats.client.api.StreamInfoOptions;
import io.nats.client.api.StreamState;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a stream of Contrail's own holds at this moment, from its first message to its last.
 */
public final class StreamReading {
  private static final int STREAM_NOT_FOUND = 10059;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration SILENCE = Duration.ofSeconds(1);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /**
   * A ledger purges records a purge delay after it has stored the snapshot of them. Whoever reads
   * for longer may find them gone and the snapshot beyond the end as it was; half of it, for clocks
   * do not all run alike.
   */
  private static final long LONG_NANOS = LedgerTimes.DEFAULT.purgeDelay().toNanos() / 2;

  private final Connection connection;
  private final JetStreamOptions options;
  private final String stream;
  private final LongSupplier nanoTime;

  public StreamReading(Connection connection, JetStreamOptions options, String stream) {
    this(connection, options, stream, System::nanoTime);
  }

  /** The same by another clock. */
  StreamReading(
      Connection connection, JetStreamOptions options, String stream, LongSupplier nanoTime) {
    this.connection = connection;
    this.options = options;
    this.stream = stream;
    this.nanoTime = nanoTime;
  }

  /** Where a stream ended, and when that was asked. */
  private record End(long sequence, long askedAt) {}

  /**
   * Hands over every message of the subjects that is there now, in order, and maybe some that come
   * meanwhile; those too where it takes so long that a ledger may have put into them what was there
   * before.
   *
   * @throws ContrailException when the stream cannot be read
   */
  public void read(String subjects, OrderedConsumerConfiguration how, Consumer<Message> sink)
      throws InterruptedException {
    try {
      Optional<End> end = end(subjects);
      if (end.isEmpty()) {
        return;
      }
      long patientUntil = System.nanoTime() + PATIENCE.toNanos();
      while (!isRead(subjects, how, sink, end.get())) {
        if (System.nanoTime() - patientUntil >= 0) {
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
      String subjects, OrderedConsumerConfiguration how, Consumer<Message> sink, End first)
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
      End end = first;
      while (true) {
        sink.accept(next);
        long sequence = next.metaData().streamSequence();
        // Whatever was purged before this one was sent is in a snapshot that was there then, and
        // so among those that were sent before.
        if (next.metaData().pendingCount() == 0) {
          return true;
        }
        // To the end as it was: while somebody writes, there is no other.
        if (sequence >= end.sequence()) {
          Optional<End> later = endAfterLong(end, subjects);
          if (later.isEmpty() || sequence >= later.get().sequence()) {
            return true;
          }
          end = later.get();
        }
        next = after(sequence, subjects, messages);
        if (next == null) {
          return true;
        }
      }
    }
  }

  /** Where the stream ends now, if it is long since that was asked. */
  private Optional<End> endAfterLong(End end, String subjects)
      throws IOException, JetStreamApiException {
    return nanoTime.getAsLong() - end.askedAt() < LONG_NANOS ? Optional.empty() : end(subjects);
  }

  /** The next one; null where there is none, for what was to come was purged. */
  private @Nullable Message after(long sequence, String subjects, IterableConsumer messages)
      throws Exception {
    long patientUntil = System.nanoTime() + PATIENCE.toNanos();
    Message next = messages.nextMessage(SILENCE);
    while (next == null && isAnyBeyond(sequence, subjects)) {
      if (System.nanoTime() - patientUntil >= 0) {
        throw stopped();
      }
      next = messages.nextMessage(SILENCE);
    }
    return next;
  }

  /** A consumer is told at its creation how many there are for it. */
  private boolean isAnyBeyond(long sequence, String subjects)
      throws IOException, JetStreamApiException {
    return connection
            .jetStreamManagement(options)
            .createConsumer(
                stream,
                ConsumerConfiguration.builder()
                    .name("contrail-beyond-" + NUID.nextGlobal())
                    .filterSubject(subjects)
                    .deliverPolicy(DeliverPolicy.ByStartSequence)
                    .startSequence(sequence + 1)
                    .ackPolicy(AckPolicy.None)
                    .memStorage(true)
                    .inactiveThreshold(SILENCE)
                    .build())
            .getNumPending()
        > 0;
  }

  private ContrailException stopped() {
    return new ContrailException(
        "The server stopped sending what " + stream + " holds before its end.");
  }

  /** Where the stream ends now; empty where it holds none of the subjects. */
  private Optional<End> end(String subjects) throws IOException, JetStreamApiException {
    long askedAt = nanoTime.getAsLong();
    StreamState state =
        connection
            .jetStreamManagement(options)
            .getStreamInfo(stream, StreamInfoOptions.filterSubjects(subjects))
            .getStreamState();
    return state.getSubjects().isEmpty()
        ? Optional.empty()
        : Optional.of(new End(state.getLastSequence(), askedAt));
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
