package dev.contrail.operations.index;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.evidence.EvidenceDecoder;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.RawHeaders;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import java.util.Optional;
import java.util.function.Consumer;

/** Follows dead letters as they are stored, beginning with the next. */
public final class DeathWatch implements AutoCloseable {
  /** What is told, on a thread of the connection. */
  public interface Listener {
    void died(DeadLetterSummary summary);

    /** One cannot be read, in one sentence. */
    void unreadable(String why);
  }

  private final Names names;
  private final EntryFilter filter;
  private final Listener listener;
  private final FollowedStream heads;

  private DeathWatch(
      Connection connection,
      JetStreamOptions options,
      Names names,
      EntryFilter filter,
      Listener listener) {
    this.names = names;
    this.filter = filter;
    this.listener = listener;
    Consumer<Message> sink = this::received;
    this.heads =
        new FollowedStream(
            connection, options, names.deadLetterStream(), sink, gone -> {}, () -> {});
  }

  /**
   * Begins.
   *
   * @param filter which are wanted; states do not matter, for all are new
   * @throws ContrailException when the dead-letter stream cannot be read
   */
  public static DeathWatch open(
      Connection connection,
      JetStreamOptions options,
      Names names,
      EntryFilter filter,
      Listener listener) {
    DeathWatch watch = new DeathWatch(connection, options, names, filter, listener);
    watch.heads.openAtEnd();
    return watch;
  }

  /**
   * Sees to it that nothing is missed; to be called about once a second.
   *
   * @throws ContrailException when the stream cannot be read; the next call tries again
   */
  public void check() {
    heads.check();
  }

  private void received(Message head) {
    Optional<DeadLetterId> id = DeadLetterId.ofSubject(names.prefix(), head.getSubject());
    if (id.isEmpty()) {
      return;
    }
    try {
      DeadLetterSummary summary = EvidenceDecoder.summary(id.get(), RawHeaders.headers(head));
      if (filter.acceptsFacts(summary)) {
        listener.died(summary);
      }
    } catch (UnreadableEvidenceException e) {
      listener.unreadable(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void close() {
    heads.close();
  }
}
