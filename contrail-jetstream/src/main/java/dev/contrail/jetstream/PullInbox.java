package dev.contrail.jetstream;

import dev.contrail.engine.Worker;
import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.Message;
import io.nats.client.support.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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

  /**
   * @param trouble is told when the server says that the consumer cannot be pulled from
   */
  PullInbox(
      Connection connection,
      String nextSubject,
      String infoSubject,
      Consumer<Signal> signals,
      Consumer<String> trouble) {
    this.connection = connection;
    this.nextSubject = nextSubject;
    this.infoSubject = infoSubject;
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
            + Worker.PULL_EXPIRES.toNanos()
            + ",\"idle_heartbeat\":"
            + Worker.PULL_HEARTBEAT.toNanos()
            + "}";
    publish(nextSubject, inbox + pullId, request.getBytes(StandardCharsets.UTF_8));
  }

  /** Asks something harmless that a worker may ask, for the sake of an answer on this inbox. */
  void echo(long token) {
    publish(infoSubject, inbox + ECHO + token, new byte[0]);
  }

  /** Takes no more; what the server had sent before it learnt of this is still taken. */
  void close(Duration timeout) throws InterruptedException {
    if (isConnected()) {
      var unused = dispatcher.drain(timeout);
    } else {
      // A drain would wait for the server.
      connection.closeDispatcher(dispatcher);
    }
  }

  private void publish(String subject, String replyTo, byte[] body) {
    try {
      if (isConnected()) {
        connection.publish(subject, replyTo, body);
      }
    } catch (IllegalStateException e) {
      log.debug("the connection went down between the question and the publish", e);
    }
  }

  private boolean isConnected() {
    return connection.getStatus() == Connection.Status.CONNECTED;
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
