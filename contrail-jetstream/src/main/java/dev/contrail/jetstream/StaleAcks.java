package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.util.Arrays;

/**
 * Cuts from what a new connection writes the acks, NAKs and the like that the lost one left in the
 * queue. jnats sends them as soon as it is connected again, and cannot be told not to; by then the
 * message may be with another worker, whose delivery a late ack cancels and a late NAK repeats.
 *
 * <p>Nothing on the wire tells what was left from what is new, so a mark is put into the queue once
 * the connection stands: what comes before it was left. The mark itself is cut too.
 */
final class StaleAcks {
  private static final byte[] ACK_PREFIX = "$JS.ACK.".getBytes(US_ASCII);
  private static final String MARK_PREFIX = "_contrail.mark.";
  private static final byte[] ANY_MARK = MARK_PREFIX.getBytes(US_ASCII);

  private final String mark;
  private final byte[] ownMark;
  private boolean passed;

  /** The name tells the mark of this connection from one that an earlier one left. */
  StaleAcks(String name) {
    mark = MARK_PREFIX + name;
    ownMark = (mark + " ").getBytes(US_ASCII);
  }

  /** The subject on which to publish the mark. */
  String mark() {
    return mark;
  }

  /** Whether the mark was written, so that nothing stale can come any more. */
  boolean markPassed() {
    return passed;
  }

  /** Cuts from the whole messages in {@code b[0, length)}; the length that remains. */
  int cut(byte[] b, int length) throws IOException {
    int kept = 0;
    int at = 0;
    while (at < length) {
      int next = next(b, at, length);
      if (isStale(b, at)) {
        passed |= isPublish(b, at, ownMark);
      } else {
        System.arraycopy(b, at, b, kept, next - at);
        kept += next - at;
      }
      at = next;
    }
    return kept;
  }

  private boolean isStale(byte[] b, int at) {
    return isPublish(b, at, ANY_MARK) || (!passed && isPublish(b, at, ACK_PREFIX));
  }

  private static int next(byte[] b, int from, int length) throws IOException {
    int lineEnd = from;
    while (lineEnd < length && b[lineEnd] != '\n') {
      lineEnd++;
    }
    lineEnd = Math.min(lineEnd + 1, length);
    return subject(b, from) == from
        ? lineEnd
        : lineEnd + (int) ControlLine.size(b, from, lineEnd, 0) + 2;
  }

  private static boolean isPublish(byte[] b, int at, byte[] prefix) {
    int subject = subject(b, at);
    return subject > at
        && Arrays.equals(b, subject, subject + prefix.length, prefix, 0, prefix.length);
  }

  /** Where the subject of a PUB or HPUB begins; the position itself for any other line. */
  private static int subject(byte[] b, int at) {
    int name = b[at] == 'H' ? at + 1 : at;
    return b[name] == 'P' && b[name + 1] == 'U' ? name + "PUB ".length() : at;
  }
}
