package dev.contrail.jetstream;

import dev.contrail.engine.Port;
import dev.contrail.engine.Worker;
import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.Message;
import io.nats.client.support.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the consumer for messages and takes what comes: deliveries, signs of life, and the ends of
 * pulls. Each pull has a reply subject of its own below one inbox, so that a status says which pull
 * it ends, and one thread takes everything in the order the server sent it. The server forgets
 * pulls whose inbox nobody listens to any more: that is how they are ended before their time.
 */
final class PullInbox {
  private static final Logger log = LoggerFactory.getLogger(PullInbox.class);
  private static final String ECHO = "echo-";
  private static final byte[] ACK_PREFIX = AckSubject.prefixBytes();
  private static final Duration DRAIN = Duration.ofSeconds(5);

  /** What the server counts beside headers and payload: the subject and where to send the ack. */
  private static final long SUBJECTS = 8 * 1024;

  private final Connection connection;
  private final Surroundings surroundings;
  private final Shortcuts shortcuts;
  private final String nextSubject;
  private final String infoSubject;
  private final Consumer<Signal> signals;
  private final Consumer<String> trouble;
  private final Duration expires;
  private final Duration heartbeat;
  private volatile Inbox inbox;
  private volatile CompletableFuture<Boolean> drained = CompletableFuture.completedFuture(true);
  private boolean closed;

  /** Where answers come in. */
  private final class Inbox {
    final String prefix = connection.createInbox() + ".";
    final String subject = prefix + "*";
    final Dispatcher dispatcher = connection.createDispatcher();

    /** What the reply subjects of all deliveries begin with, once there was one. */
    private byte[] replyPrefix = {};

    private final Shortcuts.Taker taker = this::take;

    Inbox() {
      // What may come is bounded by the pulls; the client's own limit would drop messages.
      dispatcher.setPendingLimits(-1, -1);
      if (Contrail.isGuarded(connection)) {
        shortcuts.open(subject, taker);
      }
      dispatcher.subscribe(subject, this::received);
    }

    /** By the client's way. */
    private void received(Message message) {
      String replyTo = message.getReplyTo();
      if (replyTo != null && AckSubject.isOne(replyTo)) {
        signals.accept(new ClientDelivered(message, replyTo, surroundings.nanoTime()));
      } else {
        told(
            message.getSubject(),
            message.isStatusMessage() ? Optional.of(message.getStatus()) : Optional.empty());
      }
    }

    /** Straight from the wire, on the thread that reads: whatever is wrong, that must go on. */
    private void take(WireMessage message) {
      try {
        if (message.hasReply(ACK_PREFIX)) {
          byte[] head = message.head();
          int from = numbersFrom(head, message.replyFrom(), message.headersFrom());
          AckSubject ack = AckSubject.parseNumbers(head, from, message.headersFrom());
          signals.accept(new WireDelivered(message, ack, surroundings.nanoTime()));
        } else {
          told(message.subject(), WireHeaders.status(message.headerBlock()));
        }
      } catch (RuntimeException e) {
        log.error("a message of the server cannot be read; deliveries come again", e);
      }
    }

    private void told(String subject, Optional<Status> status) {
      String token = subject.substring(prefix.length());
      if (token.startsWith(ECHO)) {
        long echo = Long.parseLong(token.substring(ECHO.length()));
        signals.accept((worker, now) -> worker.echoed(echo));
      } else if (status.isPresent()) {
        status(Long.parseLong(token), status.get());
      }
    }

    /** Where the numbers of a reply subject begin: as in the one before, or looked up. */
    private int numbersFrom(byte[] head, int from, int to) {
      int length = replyPrefix.length;
      boolean same =
          from + length < to && Arrays.equals(head, from, from + length, replyPrefix, 0, length);
      if (!same || length == 0) {
        replyPrefix = Arrays.copyOfRange(head, from, AckSubject.numbers(head, from, to));
      }
      return from + replyPrefix.length;
    }

    /** Listens no more; done when all that had arrived by then is taken. */
    CompletableFuture<Boolean> close(Duration timeout) throws InterruptedException {
      CompletableFuture<Boolean> closed = closeDispatcher(timeout);
      var unused = closed.whenComplete((done, failure) -> shortcuts.close(subject));
      return closed;
    }

    private CompletableFuture<Boolean> closeDispatcher(Duration timeout)
        throws InterruptedException {
      try {
        if (!isConnected()) {
          // A drain would wait for the server.
          connection.closeDispatcher(dispatcher);
          return CompletableFuture.completedFuture(true);
        }
        CompletableFuture<Boolean> ended = dispatcher.drain(timeout);
        surroundings
            .background(timeout)
            .execute(() -> ended.completeExceptionally(new TimeoutException()));
        return ended;
      } catch (IllegalStateException e) {
        return CompletableFuture.failedFuture(e);
      }
    }
  }

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
    this.surroundings = Surroundings.of(connection);
    this.shortcuts = Shortcuts.of(connection);
    this.nextSubject = nextSubject;
    this.infoSubject = infoSubject;
    this.expires = shorter(Worker.PULL_EXPIRES, maxExpires);
    this.heartbeat = shorter(Worker.PULL_HEARTBEAT, maxExpires.map(most -> most.dividedBy(3)));
    this.signals = signals;
    this.trouble = trouble;
    this.inbox = new Inbox();
  }

  void pull(long pullId, int batch, long bytes) {
    String request =
        "{\"batch\":"
            + batch
            + (bytes == Port.ANY_SIZE ? "" : ",\"max_bytes\":" + bytes)
            + ",\"expires\":"
            + expires.toNanos()
            + ",\"idle_heartbeat\":"
            + heartbeat.toNanos()
            + "}";
    publish(nextSubject, inbox.prefix + pullId, request.getBytes(StandardCharsets.UTF_8));
  }

  long largestMessage() {
    return Math.max(0, connection.getMaxPayload()) + SUBJECTS;
  }

  /** Has the server forget all pulls; what it had sent before it did is still taken. */
  synchronized void endPulls() {
    if (closed) {
      return;
    }
    Inbox old = inbox;
    try {
      inbox = new Inbox();
    } catch (IllegalStateException e) {
      // The connection is being closed, and everything with it.
      log.debug("no new inbox: {}", e.getMessage());
      return;
    }
    CompletableFuture<Boolean> before = drained;
    drained =
        CompletableFuture.completedFuture(old)
            .thenComposeAsync(this::drain, this::onThreadOfItsOwn)
            .handle((done, failure) -> failure == null)
            .thenCombine(before, (done, earlier) -> done);
  }

  /** For it waits for the server. */
  private void onThreadOfItsOwn(Runnable task) {
    surroundings.start("contrail-drain", task);
  }

  private CompletableFuture<Boolean> drain(Inbox old) {
    try {
      CompletableFuture<Boolean> ended = old.close(DRAIN);
      // A server of 2.9 would hand a redelivery to a pull that nobody waits for any more, and go
      // astray in its books. It clears those when the consumer is looked at.
      publish(infoSubject, inbox.prefix + ECHO + 0, new byte[0]);
      return ended;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Asks something harmless that a worker may ask, for the sake of an answer on this inbox. */
  void echo(long token) {
    // Only then has everything arrived that came on an inbox before this one.
    var unused =
        drained.thenRun(() -> publish(infoSubject, inbox.prefix + ECHO + token, new byte[0]));
  }

  /** Takes no more; what the server had sent before it learnt of this is still taken. */
  CompletableFuture<Boolean> close(Duration timeout) throws InterruptedException {
    synchronized (this) {
      closed = true;
    }
    return inbox.close(timeout).thenCombine(drained, (done, earlier) -> done && earlier);
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

  private void status(long pullId, Status status) {
    switch (status.getCode()) {
      case 100 -> signals.accept((worker, now) -> worker.heartbeat(now));
      case 404, 408 -> signals.accept((worker, now) -> worker.pullEnded(pullId, now));
      default -> {
        if (Status.MESSAGE_SIZE_EXCEEDS_MAX_BYTES.equals(status.getMessage())) {
          signals.accept((worker, now) -> worker.pullTooSmall(pullId, now));
        } else {
          signals.accept((worker, now) -> worker.pullEnded(pullId, now));
          if (!Status.BATCH_COMPLETED.equals(status.getMessage())) {
            // Whoever is told may log it, which may take its time: not on the thread that reads.
            String why = status.getMessageWithCode();
            signals.accept((worker, now) -> trouble.accept(why));
          }
        }
      }
    }
  }
}
