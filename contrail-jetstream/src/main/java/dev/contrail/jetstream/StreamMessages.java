package dev.contrail.jetstream;

import dev.contrail.evidence.OriginalMessage;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Reads and deletes single messages of any stream, without a consumer and whatever bytes their
 * headers hold. Thread-safe; futures fail with a {@link ContrailException} when the server refuses
 * or does not answer.
 */
public final class StreamMessages {
  private final JetStreamApi api;

  public StreamMessages(Connection connection, JetStreamOptions options) {
    this.api = new JetStreamApi(connection, options);
  }

  /** A message and where it lies. */
  public record Found(long sequence, OriginalMessage message) {
    static Found of(StoredMessage stored) {
      return new Found(
          stored.sequence(),
          new OriginalMessage(
              stored.subject(), stored.time(), stored.headerBlock(), stored.data()));
    }
  }

  /** The message of that sequence; empty when it is gone. */
  public CompletableFuture<Optional<Found>> at(String stream, long sequence) {
    return api.message(stream, sequence).thenApply(it -> it.map(Found::of));
  }

  /**
   * The first message from that sequence on whose subject the filter takes; empty if there is none.
   */
  public CompletableFuture<Optional<Found>> next(String stream, String filter, long sequence) {
    return api.next(stream, filter, sequence).thenApply(it -> it.map(Found::of));
  }

  /**
   * The first message of that very subject from one sequence up to another; empty if there is none.
   * A subject may be stored that reads as a filter, such as {@code ORDERS.>}, and a server that is
   * asked for it finds those of other subjects too: they are passed over, one read each.
   */
  public CompletableFuture<Optional<Found>> nextOf(
      String stream, String subject, long from, long upTo) {
    return next(stream, subject, from)
        .thenCompose(
            it -> {
              Optional<Found> found = it.filter(one -> one.sequence() <= upTo);
              return found.isEmpty() || found.get().message().subject().equals(subject)
                  ? CompletableFuture.completedFuture(found)
                  : nextOf(stream, subject, found.get().sequence() + 1, upTo);
            });
  }

  /** The newest message of a subject; empty if there is none. */
  public CompletableFuture<Optional<Found>> last(String stream, String subject) {
    return api.last(stream, subject).thenApply(it -> it.map(Found::of));
  }

  /**
   * Deletes a message, without writing over its bytes.
   *
   * @return false when it was gone
   */
  public CompletableFuture<Boolean> delete(String stream, long sequence) {
    return api.delete(stream, sequence);
  }
}
