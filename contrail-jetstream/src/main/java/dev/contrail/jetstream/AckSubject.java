package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * What the reply subject of a delivery says about it: {@code
 * $JS.ACK.<stream>.<consumer>.<delivered>.<sequence>.<consumer sequence>.<timestamp>.<pending>}, on
 * newer servers with domain and account before the stream and possibly a token at the end.
 *
 * @param publishedNanos when the stream stored the message, in nanoseconds since the epoch
 */
record AckSubject(long deliveries, long sequence, long publishedNanos) {
  static final String PREFIX = "$JS.ACK.";

  private static final byte[] PREFIX_BYTES = PREFIX.getBytes(UTF_8);

  /** How many dots it has. */
  private static final int SHORT_FORM = 8;

  private static final int LONG_FORM = 10;

  private static final int MOST_DIGITS = 19;

  static boolean isOne(String subject) {
    return subject.startsWith(PREFIX);
  }

  /** The prefix as it is on the wire; for reading only. */
  static byte[] prefixBytes() {
    return PREFIX_BYTES;
  }

  static AckSubject parse(String subject) {
    byte[] b = subject.getBytes(UTF_8);
    return parseNumbers(b, numbers(b, 0, b.length), b.length);
  }

  /** The how-manieth delivery of its consumer it is: one more than the one before. */
  static long consumerSequence(String subject) {
    byte[] b = subject.getBytes(UTF_8);
    int sequence = afterDot(b, numbers(b, 0, b.length), b.length);
    return number(b, afterDot(b, sequence, b.length), b.length);
  }

  /** Where the numbers begin; what comes before is the same for all deliveries of a consumer. */
  static int numbers(byte[] b, int from, int to) {
    int dots = 0;
    int shortForm = 0;
    int longForm = 0;
    for (int at = from; at < to; at++) {
      if (b[at] == '.') {
        dots++;
        if (dots == 4) {
          shortForm = at + 1;
        } else if (dots == 6) {
          longForm = at + 1;
        }
      }
    }
    if (dots != SHORT_FORM && dots < LONG_FORM) {
      throw notOne(b, from, to);
    }
    return dots == SHORT_FORM ? shortForm : longForm;
  }

  /** What it says, by where its numbers begin. */
  static AckSubject parseNumbers(byte[] b, int numbers, int to) {
    int sequence = afterDot(b, numbers, to);
    int consumerSequence = afterDot(b, sequence, to);
    int timestamp = afterDot(b, consumerSequence, to);
    return new AckSubject(
        number(b, numbers, to), number(b, sequence, to), number(b, timestamp, to));
  }

  private static int afterDot(byte[] b, int from, int to) {
    int at = from;
    while (at < to && b[at] != '.') {
      at++;
    }
    return at + 1;
  }

  /** The digits from there to the next dot. Read for every message, so without any detour. */
  private static long number(byte[] b, int from, int to) {
    long number = 0;
    int at = from;
    while (at < to && b[at] != '.') {
      int digit = b[at] - '0';
      if (digit < 0 || digit > 9 || at - from >= MOST_DIGITS) {
        throw notOne(b, from, to);
      }
      number = 10 * number + digit;
      at++;
    }
    if (at == from || number < 0) {
      throw notOne(b, from, to);
    }
    return number;
  }

  private static IllegalArgumentException notOne(byte[] b, int from, int to) {
    int start = Math.min(from, to);
    return new IllegalArgumentException(
        "not the reply subject of a delivery: " + new String(b, start, to - start, UTF_8));
  }
}
