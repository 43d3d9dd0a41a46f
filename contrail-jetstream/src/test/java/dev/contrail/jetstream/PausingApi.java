package dev.contrail.jetstream;

import dev.contrail.Headers;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Stops before one of its look-ups and writes, until it is told to go on. */
final class PausingApi extends JetStreamApi {
  private final int pauseBefore;
  private final AtomicInteger requests = new AtomicInteger();
  private final CompletableFuture<Void> reached = new CompletableFuture<>();
  private final CompletableFuture<Void> released = new CompletableFuture<>();

  /**
   * On that connection.
   *
   * @param pauseBefore which request, from 1
   */
  PausingApi(Connection connection, int pauseBefore) {
    super(connection, JetStreamOptions.defaultOptions());
    this.pauseBefore = pauseBefore;
  }

  /** Done when the request is due before which it stops. */
  CompletableFuture<Void> reached() {
    return reached;
  }

  void goOn() {
    released.complete(null);
  }

  @Override
  CompletableFuture<Optional<StoredMessage>> last(String stream, String subject) {
    return turn().thenCompose(now -> super.last(stream, subject));
  }

  @Override
  CompletableFuture<Void> create(String stream, String subject, Headers headers, byte[] body) {
    return turn().thenCompose(now -> super.create(stream, subject, headers, body));
  }

  private CompletableFuture<Void> turn() {
    if (requests.incrementAndGet() != pauseBefore) {
      return CompletableFuture.completedFuture(null);
    }
    reached.complete(null);
    return released;
  }
}
