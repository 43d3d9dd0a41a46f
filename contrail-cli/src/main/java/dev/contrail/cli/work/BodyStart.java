package dev.contrail.cli.work;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the beginning of a response's body. The status alone decides, so a body that breaks off,
 * never ends or never comes does not change the outcome; it only shortens the evidence.
 */
final class BodyStart implements BodySubscriber<String> {
  private static final int KEPT_BYTES = 4096;
  private static final int READ_BYTES = 64 * 1024;
  private static final long WAIT_SECONDS = 5;

  private final boolean wanted;
  private final CompletableFuture<String> body = new CompletableFuture<>();
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private int seen;
  private @Nullable Subscription subscription;

  /**
   * @param wanted whether the answer waits for the body
   */
  BodyStart(boolean wanted) {
    this.wanted = wanted;
  }

  @Override
  public CompletionStage<String> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Subscription newSubscription) {
    subscription = newSubscription;
    if (wanted) {
      Executor later = CompletableFuture.delayedExecutor(WAIT_SECONDS, TimeUnit.SECONDS);
      later.execute(this::finish);
    } else {
      body.complete("");
    }
    newSubscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      keep(buffer);
    }
    // A short body is read to its end, so that the connection can be used again.
    if (seen > READ_BYTES) {
      finish();
    }
  }

  private synchronized void keep(ByteBuffer buffer) {
    seen += buffer.remaining();
    byte[] bytes = new byte[Math.min(buffer.remaining(), KEPT_BYTES - kept.size())];
    buffer.get(bytes);
    kept.writeBytes(bytes);
  }

  @Override
  public void onError(Throwable brokenOff) {
    body.complete(text());
  }

  @Override
  public void onComplete() {
    body.complete(text());
  }

  private void finish() {
    Subscription current = subscription;
    if (!body.complete(text()) && wanted) {
      return;
    }
    if (current != null) {
      current.cancel();
    }
  }

  /** What has come of it. */
  synchronized String text() {
    return kept.toString(StandardCharsets.UTF_8).strip();
  }
}
