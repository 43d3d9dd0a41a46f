package dev.contrail.jetstream;

import dev.contrail.engine.InFlight;
import io.nats.client.Connection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Sends acknowledgements. While the connection is down they wait here and not in the client, whose
 * buffer would send them whenever it comes back: an ack that is older than its lease cancels the
 * work of the next holder, so those are dropped.
 */
final class AckWriter {
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
    if (!isConnected()) {
      return;
    }
    int last = messages.size() - 1;
    for (int i = 0; i < last; i++) {
      connection.publish(messages.get(i).message().replyTo(), IN_PROGRESS);
    }
    // Without an answer nothing is confirmed, and the leases run out: that is all there is to do.
    var unused =
        connection
            .requestWithTimeout(messages.get(last).message().replyTo(), IN_PROGRESS, CONFIRMATION)
            .thenAccept(answer -> confirmed.run());
  }

  /** The connection is back: sends what is not too old by now. */
  void reconnected(long nowNanos) {
    while (!waiting.isEmpty()) {
      Waiting next = waiting.remove();
      if (nowNanos - next.untilNanos <= 0) {
        connection.publish(next.replyTo, next.word);
      }
    }
  }

  private void send(InFlight<Delivered> message, byte[] word) {
    String replyTo = message.message().replyTo();
    if (isConnected()) {
      try {
        connection.publish(replyTo, word);
        return;
      } catch (IllegalStateException e) {
        // The connection went down between the question and the publish.
      }
    }
    waiting.add(new Waiting(replyTo, word, message.leaseUntilNanos()));
  }

  private boolean isConnected() {
    return connection.getStatus() == Connection.Status.CONNECTED;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
