package dev.contrail.jetstream;

import dev.contrail.engine.InFlight;
import io.nats.client.Connection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends acknowledgements: gathered in a cycle of the worker, and sent at its end, as one bundle
 * where the connection knows bundles. While the connection is down they wait here and not in the
 * client, whose buffer would send them whenever it comes back: an ack that is older than its lease
 * cancels the work of the next holder, so those are dropped. They also wait while it is in doubt
 * whether the stream is still the one they are about: nothing in an ack tells it from another of
 * that name. Used by the worker's thread alone.
 */
class AckWriter {
  private static final Logger log = LoggerFactory.getLogger(AckWriter.class);
  private static final byte[] ACK = ascii("+ACK");
  private static final byte[] NAK = ascii("-NAK");
  private static final byte[] TERM = ascii("+TERM");
  private static final byte[] IN_PROGRESS = ascii("+WPI");
  private static final Duration CONFIRMATION = Duration.ofSeconds(10);

  private static final class Waiting {
    final Delivered delivered;
    final byte[] word;
    final long untilNanos;

    Waiting(Delivered delivered, byte[] word, long untilNanos) {
      this.delivered = delivered;
      this.word = word;
      this.untilNanos = untilNanos;
    }
  }

  private final Connection connection;
  private final boolean bundles;
  private final AckBundle bundle = new AckBundle();
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private boolean held;

  AckWriter(Connection connection) {
    this.connection = connection;
    // A client that may discard what it is given is given single ones: each is one run more.
    this.bundles =
        Contrail.isGuarded(connection)
            && !connection.getOptions().isDiscardMessagesWhenOutgoingQueueFull();
  }

  void ack(InFlight<Delivered> message) {
    send(message, ACK);
  }

  void nak(InFlight<Delivered> message, Duration delay) {
    send(message, delay.isZero() ? NAK : ascii("-NAK {\"delay\":" + delay.toNanos() + "}"));
  }

  /**
   * Terminates it. Servers before 2.10.4 answer a term with a reason but do not heed it, and the
   * one that keeps the stream may be older than the one we are connected to; so a message that
   * comes back is terminated without one.
   */
  void term(InFlight<Delivered> message, Optional<String> reason) {
    boolean knowsReasons = connection.getServerInfo().isSameOrNewerThanVersion("2.10.4");
    send(
        message,
        reason.filter(text -> knowsReasons).map(text -> ascii("+TERM " + text)).orElse(TERM));
  }

  /**
   * Extends leases. The last is sent as a request: acks are handled in their order, so its answer
   * says that all have reached the server.
   */
  void extend(List<InFlight<Delivered>> messages, Runnable confirmed) {
    if (!isConnected()) {
      return;
    }
    int last = messages.size() - 1;
    try {
      for (int i = 0; i < last; i++) {
        connection.publish(messages.get(i).message().replyTo(), IN_PROGRESS);
      }
      var unused =
          connection
              .requestWithTimeout(messages.get(last).message().replyTo(), IN_PROGRESS, CONFIRMATION)
              .thenAccept(answer -> confirmed.run());
    } catch (IllegalStateException e) {
      // Not confirmed, so the leases run out unless the next try gets through.
      log.debug("leases not extended: {}", e.getMessage());
    }
  }

  /** It is in doubt whether the stream is still the same: sends nothing until that is known. */
  void hold() {
    held = true;
  }

  /** The stream is the same. Whoever looked before the connection was lost does not know. */
  void release() {
    held = held && !isConnected();
  }

  /** The stream is another: what has waited was about messages that are no more. */
  void drop() {
    waiting.clear();
    release();
  }

  /** Whether any is still to be sent. */
  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** Sends what waits, as far as it is not too old by now. */
  void sendWaiting(long nowNanos) {
    if (held || !isConnected()) {
      waiting.removeIf(ack -> isTooOld(ack, nowNanos));
    }
    while (!held && !waiting.isEmpty() && isConnected()) {
      if (!(bundles ? sendBundle(nowNanos) : sendOne(nowNanos))) {
        return;
      }
    }
  }

  private void send(InFlight<Delivered> message, byte[] word) {
    waiting.add(new Waiting(message.message(), word, message.leaseUntilNanos()));
  }

  private boolean sendOne(long nowNanos) {
    Waiting next = waiting.element();
    boolean sent = isTooOld(next, nowNanos) || publish(next.delivered.replyTo(), next.word);
    if (sent) {
      waiting.remove();
    }
    return sent;
  }

  /**
   * As many as go into one; they leave the queue only when the client has taken it. One that is too
   * large for any goes alone.
   */
  private boolean sendBundle(long nowNanos) {
    bundle.begin(connection.getMaxPayload());
    int taken = 0;
    for (Waiting next : waiting) {
      if (!isTooOld(next, nowNanos) && !next.delivered.addTo(bundle, next.word)) {
        break;
      }
      taken++;
    }
    if (taken == 0) {
      return sendOne(nowNanos);
    }
    boolean sent = bundle.isEmpty() || publish(OutgoingGuard.BUNDLE, bundle.bytes());
    for (int i = 0; sent && i < taken; i++) {
      waiting.remove();
    }
    return sent;
  }

  private static boolean isTooOld(Waiting ack, long nowNanos) {
    return nowNanos - ack.untilNanos > 0;
  }

  /**
   * False when the client does not take it: just disconnected, its queue is full, or the server has
   * said just now that it takes less at once.
   */
  private boolean publish(String subject, byte[] body) {
    try {
      connection.publish(subject, body);
      return true;
    } catch (IllegalStateException | IllegalArgumentException e) {
      log.debug("acks have to wait: {}", e.getMessage());
      return false;
    }
  }

  private boolean isConnected() {
    return connection.getStatus() == Connection.Status.CONNECTED;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
