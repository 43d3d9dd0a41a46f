package dev.contrail.jetstream;

import dev.contrail.engine.Worker;
import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.Message;
import io.nats.client.support.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the consumer for messages and takes what comes: deliveries, signs of life, and the ends of
 * pulls. Each pull has a reply subject of its own below one inbox, so that a status says which pull
 * it ends, and one dispatcher keeps everything in the order the server sent it.
 */
final class PullInbox {
  private static final Logger log = LoggerFactory.getLogger(PullInbox.class);
  private static final String ECHO = "echo-";

  private final Connection connection;
  private final String nextSubject;
  private final String infoSubject;
  private final String inbox;
  private final Consumer<Signal> signals;
  private final Consumer<String> trouble;
  private final Dispatcher dispatcher;
  private final Duration expires;
  private final Duration heartbeat;

  /**
   * @param maxExpires how long the consumer lets a pull wait, if it says
   * @param trouble is told when the server says that the consumer cannot be pulled from
   */
  PullInbox(
      Connection connection,
      String nextSubject,
      String infoSubject,
      Optional<Duration> maxExpires,
      Consumer<Signal> signals,
      Consumer<String> trouble) {
    this.connection = connection;
    this.nextSubject = nextSubject;
    this.infoSubject = infoSubject;
    this.expires = shorter(Worker.PULL_EXPIRES, maxExpires);
    this.heartbeat = shorter(Worker.PULL_HEARTBEAT, maxExpires.map(most -> most.dividedBy(3)));
    this.signals = signals;
    this.trouble = trouble;
    this.inbox = connection.createInbox() + ".";
    this.dispatcher = connection.createDispatcher();
    // What may come is bounded by the pulls; the client's own limit would drop messages.
    this.dispatcher.setPendingLimits(-1, -1);
    this.dispatcher.subscribe(inbox + "*", this::received);
  }

  void pull(long pullId, int batch) {
    String request =
        "{\"batch\":"
            + batch
            + ",\"expires\":"
            + expires.toNanos()
            + ",\"idle_heartbeat\":"
            + heartbeat.toNanos()
            + "}";
    publish(nextSubject, inbox + pullId, request.getBytes(StandardCharsets.UTF_8));
  }

  /** Asks something harmless that a worker may ask, for the sake of an answer on this inbox. */
  void echo(long token) {
    publish(infoSubject, inbox + ECHO + token, new byte[0]);
  }

  /** Takes no more; what the server had sent before it learnt of this is still taken. */
  CompletableFuture<Boolean> close(Duration timeout) throws InterruptedException {
    try {
      if (!isConnected()) {
        // A drain would wait for the server.
        connection.closeDispatcher(dispatcher);
        return CompletableFuture.completedFuture(true);
      }
      return dispatcher.drain(timeout).orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (IllegalStateException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void publish(String subject, String replyTo, byte[] body) {
    if (!isConnected()) {
      return;
    }
    try {
      connection.publish(subject, replyTo, body);
    } catch (IllegalStateException e) {
      // Disconnected just now: the worker is told so, and pulls anew afterwards.
      log.debug("not sent to {}: {}", subject, e.getMessage());
    }
  }

  private boolean isConnected() {
    return connection.getStatus() == Connection.Status.CONNECTED;
  }

  private static Duration shorter(Duration usual, Optional<Duration> most) {
    return most.filter(limit -> limit.compareTo(usual) < 0).orElse(usual);
  }

  private void received(Message message) {
    String replyTo = message.getReplyTo();
    if (replyTo != null && AckSubject.isOne(replyTo)) {
      signals.accept(new Delivered(message, replyTo, WorkerLoop.now()));
      return;
    }
    String token = message.getSubject().substring(inbox.length());
    if (token.startsWith(ECHO)) {
      long echo = Long.parseLong(token.substring(ECHO.length()));
      signals.accept((worker, now) -> worker.echoed(echo));
    } else if (message.isStatusMessage()) {
      status(Long.parseLong(token), message.getStatus());
    }
  }

  private void status(long pullId, Status status) {
    switch (status.getCode()) {
      case 100 -> signals.accept((worker, now) -> worker.heartbeat(now));
      case 404, 408 -> signals.accept((worker, now) -> worker.pullEnded(pullId, now));
      default -> {
        signals.accept((worker, now) -> worker.pullEnded(pullId, now));
        trouble.accept(status.getMessageWithCode());
      }
    }
  }
}
