package dev.contrail.operations.index;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.operations.StreamReading;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.api.StreamInfo;
import io.nats.client.api.StreamInfoOptions;
import io.nats.client.api.StreamState;
import java.io.IOException;
import java.time.ZonedDateTime;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A stream that is followed for as long as the index lives: through deletions in it, of which no
 * consumer is told, and through being deleted and made again.
 */
final class FollowedStream implements AutoCloseable {
  private static final int STREAM_NOT_FOUND = 10059;

  private final Connection connection;
  private final JetStreamOptions options;
  private final String stream;
  private final StreamReading reading;
  private final Consumer<Message> sink;
  private final Consumer<LongPredicate> dropper;
  private final Runnable clearer;

  private @Nullable StreamFollower follower;
  private @Nullable ZonedDateTime created;
  private long firstSequence;
  private long deletedCount;
  private long seenAtDrop;
  private boolean droppedEarly;
  private long lastAtOpening;
  private boolean closed;

  /**
   * Of that name.
   *
   * @param sink takes the messages
   * @param dropper is told which sequences are gone
   * @param clearer is told when all of them are
   */
  FollowedStream(
      Connection connection,
      JetStreamOptions options,
      String stream,
      Consumer<Message> sink,
      Consumer<LongPredicate> dropper,
      Runnable clearer) {
    this.connection = connection;
    this.options = options;
    this.stream = stream;
    this.reading = new StreamReading(connection, options, stream);
    this.sink = sink;
    this.dropper = dropper;
    this.clearer = clearer;
  }

  /**
   * Begins with its first message.
   *
   * @param required whether the stream must be there
   * @throws ContrailException when it cannot be read, or is not there and must be
   */
  synchronized void open(boolean required) {
    info(Optional.empty(), required).ifPresent(info -> begin(info, 1));
  }

  /**
   * Begins with the next message that comes.
   *
   * @throws ContrailException when it cannot be read, or is not there
   */
  synchronized void openAtEnd() {
    info(Optional.empty(), true)
        .ifPresent(info -> begin(info, info.getStreamState().getLastSequence() + 1));
  }

  private void begin(StreamInfo info, long startSequence) {
    StreamState state = info.getStreamState();
    created = info.getCreateTime();
    firstSequence = state.getFirstSequence();
    deletedCount = state.getDeletedCount();
    droppedEarly = false;
    lastAtOpening = state.getLastSequence();
    StreamFollower begun = new StreamFollower(connection, options, stream, sink);
    follower = begun;
    begun.begin(startSequence, state);
  }

  /** Whether all that was there at the beginning has been read. */
  boolean isCaughtUp() {
    StreamFollower current = current();
    return current == null || current.isCaughtUp();
  }

  /** Waits until it has caught up, at most until that time. */
  void awaitCaughtUp(long endNanos) throws InterruptedException {
    StreamFollower current = current();
    if (current != null) {
      current.awaitCaughtUp(endNanos);
    }
  }

  double readSoFar() {
    StreamFollower current = current();
    if (current == null || current.isCaughtUp()) {
      return 1;
    }
    long all = lastAtOpening - firstSequence + 1;
    return Math.min(
        1, Math.max(0, current.lastSeen() - firstSequence + 1) / (double) Math.max(1, all));
  }

  private synchronized @Nullable StreamFollower current() {
    return follower;
  }

  /**
   * Holds what was read against the stream as it is.
   *
   * @throws ContrailException when that cannot be found out
   */
  synchronized void check() {
    if (closed) {
      return;
    }
    Optional<StreamInfo> info = info(Optional.empty(), false);
    StreamFollower current = follower;
    boolean another =
        current != null
            && (info.isEmpty()
                || !info.get().getCreateTime().equals(created)
                || info.get().getStreamState().getLastSequence() < current.lastSeen());
    if (another && current != null) {
      current.close();
      follower = null;
      clearer.run();
    }
    if (info.isPresent()) {
      if (follower == null) {
        begin(info.get(), 1);
      } else {
        follower.check(info.get().getStreamState());
        dropDeleted(follower, info.get().getStreamState());
      }
    }
  }

  private void dropDeleted(StreamFollower current, StreamState state) {
    // The messages are what the first and the last sequence leave room for, less the deleted ones:
    // where neither the first nor the number of those has changed, no other is gone. The number
    // alone does not tell: it sinks when the first sequence moves over some of them.
    boolean changed =
        state.getDeletedCount() != deletedCount || state.getFirstSequence() != firstSequence;
    // What was on its way when it was deleted is read afterwards.
    boolean again = droppedEarly && current.isCaughtUp() && current.lastSeen() > seenAtDrop;
    if (!changed && !again) {
      return;
    }
    long seen = current.lastSeen();
    Optional<StreamInfo> details = info(Optional.of(StreamInfoOptions.deletedDetails()), false);
    if (details.isPresent()) {
      StreamState now = details.get().getStreamState();
      Set<Long> deleted = new HashSet<>(now.getDeleted());
      long first = now.getFirstSequence();
      dropper.accept(sequence -> sequence < first || deleted.contains(sequence));
      deletedCount = now.getDeletedCount();
      firstSequence = first;
      seenAtDrop = seen;
      droppedEarly = seen < now.getLastSequence();
    }
  }

  private Optional<StreamInfo> info(Optional<StreamInfoOptions> details, boolean required) {
    try {
      var management = connection.jetStreamManagement(options);
      return Optional.of(
          details.isPresent()
              ? management.getStreamInfo(stream, details.get())
              : management.getStreamInfo(stream));
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == STREAM_NOT_FOUND && !required) {
        return Optional.empty();
      }
      throw reading.refused(e);
    } catch (IOException | IllegalStateException e) {
      throw reading.unanswered(e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (follower != null) {
      follower.close();
      follower = null;
    }
  }
}
