package dev.contrail.jetstream;

import dev.contrail.engine.InFlight;
import io.nats.client.Connection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends acknowledgements. While the connection is down they wait here and not in the client, whose
 * buffer would send them whenever it comes back: an ack that is older than its lease cancels the
 * work of the next holder, so those are dropped. They also wait while it is in doubt whether the
 * stream is still the one they are about: nothing in an ack tells it from another of that name.
 * Used by the worker's thread alone.
 */
final class AckWriter {
  private static final Logger log = LoggerFactory.getLogger(AckWriter.class);
  private static final byte[] ACK = ascii("+ACK");
  private static final byte[] NAK = ascii("-NAK");
  private static final byte[] TERM = ascii("+TERM");
  private static final byte[] IN_PROGRESS = ascii("+WPI");
  private static final Duration CONFIRMATION = Duration.ofSeconds(10);

  private static final class Waiting {
    final String replyTo;
    final byte[] word;
    final long untilNanos;

    Waiting(String replyTo, byte[] word, long untilNanos) {
      this.replyTo = replyTo;
      this.word = word;
      this.untilNanos = untilNanos;
    }
  }

  private final Connection connection;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private boolean held;

  AckWriter(Connection connection) {
    this.connection = connection;
  }

  void ack(InFlight<Delivered> message) {
    send(message, ACK);
  }

  void nak(InFlight<Delivered> message, Duration delay) {
    send(message, delay.isZero() ? NAK : ascii("-NAK {\"delay\":" + delay.toNanos() + "}"));
  }

  void term(InFlight<Delivered> message, String reason) {
    // Servers before 2.10.4 answer a term with a reason but do not heed it.
    boolean knowsReasons = connection.getServerInfo().isSameOrNewerThanVersion("2.10.4");
    send(message, knowsReasons ? ascii("+TERM " + reason) : TERM);
  }

  /**
   * Extends leases. The last is sent as a request: acks are handled in their order, so its answer
   * says that all have reached the server.
   */
  void extend(List<InFlight<Delivered>> messages, Runnable confirmed) {
    int last = messages.size() - 1;
    for (int i = 0; i < last; i++) {
      if (!publish(messages.get(i).message().replyTo(), IN_PROGRESS)) {
        return;
      }
    }
    String replyTo = messages.get(last).message().replyTo();
    // Without an answer nothing is confirmed, and the leases run out: that is all there is to do.
    try {
      var unused =
          connection
              .requestWithTimeout(replyTo, IN_PROGRESS, CONFIRMATION)
              .thenAccept(answer -> confirmed.run());
    } catch (IllegalStateException e) {
      log.debug("the connection is down: no lease is extended", e);
    }
  }

  /** It is in doubt whether the stream is still the same: sends nothing until that is known. */
  void hold() {
    held = true;
  }

  /** The stream is the same: sends what has waited, if it is not too old by now. */
  void release(long nowNanos) {
    if (!isConnected()) {
      return;
    }
    held = false;
    int count = waiting.size();
    for (int i = 0; i < count; i++) {
      Waiting next = waiting.remove();
      if (nowNanos - next.untilNanos <= 0) {
        sendOrWait(next);
      }
    }
  }

  /** The stream is another: what has waited was about messages that are no more. */
  void drop() {
    held = false;
    waiting.clear();
  }

  private void send(InFlight<Delivered> message, byte[] word) {
    sendOrWait(new Waiting(message.message().replyTo(), word, message.leaseUntilNanos()));
  }

  private void sendOrWait(Waiting ack) {
    if (held || !publish(ack.replyTo, ack.word)) {
      waiting.add(ack);
    }
  }

  private boolean publish(String subject, byte[] word) {
    try {
      if (isConnected()) {
        connection.publish(subject, word);
        return true;
      }
    } catch (IllegalStateException e) {
      log.debug("the connection went down between the question and the publish", e);
    }
    return false;
  }

  private boolean isConnected() {
    return connection.getStatus() == Connection.Status.CONNECTED;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
