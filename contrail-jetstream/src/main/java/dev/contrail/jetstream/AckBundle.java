package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;

/** Acks as they go over the wire, one behind the other, to be published as one. */
final class AckBundle {
  /** With room to spare in the client's buffer, as large as that is by default. */
  private static final int MOST_BYTES = 48 * 1024;

  private static final byte[] PUBLISH = "PUB ".getBytes(US_ASCII);
  private static final byte[] LINE_END = {'\r', '\n'};

  /** Room for the sizes and line ends around subject and word. */
  private static final int AROUND = 32;

  private byte[] bytes = new byte[4 * 1024];
  private int length;
  private long limit = MOST_BYTES;

  /**
   * Begins an empty one.
   *
   * @param largestMessage what the client takes as one message; nothing to go by if not positive
   */
  void begin(long largestMessage) {
    length = 0;
    limit = largestMessage > 0 ? Math.min(largestMessage, MOST_BYTES) : MOST_BYTES;
  }

  boolean isEmpty() {
    return length == 0;
  }

  /**
   * False when it is full: it is to be sent, and the ack to go into the next. An ack that does not
   * go into an empty one goes into none.
   */
  boolean add(byte[] subject, int from, int subjectLength, byte[] word) {
    int size = subjectLength + word.length + AROUND;
    if (length + size > limit) {
      return false;
    }
    if (length + size > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + size, 2 * bytes.length));
    }
    append(PUBLISH);
    System.arraycopy(subject, from, bytes, length, subjectLength);
    length += subjectLength;
    bytes[length++] = ' ';
    appendNumber(word.length);
    append(LINE_END);
    append(word);
    append(LINE_END);
    return true;
  }

  byte[] bytes() {
    return Arrays.copyOf(bytes, length);
  }

  /** Nearly always one digit. */
  private void appendNumber(int number) {
    if (number < 10) {
      bytes[length++] = (byte) ('0' + number);
    } else {
      append(Integer.toString(number).getBytes(US_ASCII));
    }
  }

  private void append(byte[] some) {
    System.arraycopy(some, 0, bytes, length, some.length);
    length += some.length;
  }
}
