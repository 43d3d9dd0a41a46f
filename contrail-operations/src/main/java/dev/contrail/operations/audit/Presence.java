package dev.contrail.operations.audit;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.ledger.SequenceSet;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Finds out which sequences a stream has deleted, in the server's own list of them. */
final class Presence {
  /** A list of more would take more memory than all else. */
  static final long MOST_LISTED = 2_000_000;

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final byte[] REQUEST =
      "{\"deleted_details\":true}".getBytes(StandardCharsets.US_ASCII);
  // Inside of a text the quotes would have backslashes before them.
  private static final byte[] LIST = "\"deleted\":[".getBytes(StandardCharsets.US_ASCII);

  private Presence() {}

  /**
   * Those deleted between its first and its last message.
   *
   * @throws ContrailException when the server does not tell
   */
  static SequenceSet deleted(Connection connection, JetStreamOptions options, String stream)
      throws InterruptedException {
    Message answer =
        connection.request(options.getPrefix() + "STREAM.INFO." + stream, REQUEST, PATIENCE);
    if (answer == null) {
      throw new ContrailException(
          "The NATS server does not answer the request to list what stream "
              + stream
              + " has deleted; is this user allowed to?");
    }
    return parse(answer.getData());
  }

  /**
   * Read by hand: the client makes an object of each number, a hundred bytes and more, of which
   * there may be millions.
   */
  static SequenceSet parse(byte[] json) {
    SequenceSet deleted = new SequenceSet();
    int at = indexOf(json, LIST);
    if (at < 0) {
      return deleted;
    }
    long number = -1;
    for (at += LIST.length; at < json.length; at++) {
      byte c = json[at];
      if (c >= '0' && c <= '9') {
        number = Math.max(number, 0) * 10 + (c - '0');
      } else {
        if (number >= 0) {
          deleted.add(number);
          number = -1;
        }
        if (c == ']') {
          break;
        }
      }
    }
    return deleted;
  }

  private static int indexOf(byte[] text, byte[] wanted) {
    for (int at = 0; at <= text.length - wanted.length; at++) {
      int same = 0;
      while (same < wanted.length && text[at + same] == wanted[same]) {
        same++;
      }
      if (same == wanted.length) {
        return at;
      }
    }
    return -1;
  }
}
