package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;

/**
 * The control line of the NATS protocol that announces a message: {@code MSG <subject> <sid>
 * [reply] <size>} or {@code HMSG <subject> <sid> [reply] <header size> <total size>}, with its line
 * end.
 */
final class ControlLine {
  static final int OTHER = 0;
  static final int MSG = 1;
  static final int HMSG = 2;

  private static final int MOST_DIGITS = 10;
  private static final int LARGEST = Integer.MAX_VALUE - 8;

  private ControlLine() {}

  /** MSG, HMSG or OTHER. */
  static int op(byte[] b, int from, int to) {
    boolean withHeaders = isLetter(b[from], 'h');
    int name = withHeaders ? from + 1 : from;
    if (name + 4 < to
        && isLetter(b[name], 'm')
        && isLetter(b[name + 1], 's')
        && isLetter(b[name + 2], 'g')
        && isSeparator(b[name + 3])) {
      return withHeaders ? HMSG : MSG;
    }
    return OTHER;
  }

  /** The size that stands at the end of the line, or {@code before} places before the end. */
  static long size(byte[] b, int from, int to, int before) throws IOException {
    int last = to - 2;
    for (int i = 0; i < before; i++) {
      last = tokenStart(b, from, last) - 1;
    }
    int first = tokenStart(b, from, last);
    if (first >= last || last - first > MOST_DIGITS) {
      throw malformed(b, from, to);
    }
    long size = 0;
    for (int i = first; i < last; i++) {
      int digit = b[i] - '0';
      if (digit < 0 || digit > 9) {
        throw malformed(b, from, to);
      }
      size = size * 10 + digit;
    }
    if (size > LARGEST) {
      throw malformed(b, from, to);
    }
    return size;
  }

  /** Whether the HMSG line has a reply subject that begins with {@code prefix}. */
  static boolean hasReply(byte[] b, int from, int to, byte[] prefix) {
    int reply = from;
    for (int i = 0; i < 3; i++) {
      reply = nextToken(b, reply, to);
    }
    return reply + prefix.length < to
        && Arrays.equals(b, reply, reply + prefix.length, prefix, 0, prefix.length);
  }

  /** The HMSG line with the sizes of another header block, followed by that block. */
  static byte[] withSizes(byte[] b, int from, int to, byte[] block, long payload) {
    int sizes = tokenStart(b, from, tokenStart(b, from, to - 2) - 1);
    ByteArrayOutputStream out = new ByteArrayOutputStream(sizes - from + block.length + 32);
    out.write(b, from, sizes - from);
    String rest = block.length + " " + (block.length + payload) + "\r\n";
    out.writeBytes(rest.getBytes(US_ASCII));
    out.writeBytes(block);
    return out.toByteArray();
  }

  private static int tokenStart(byte[] b, int from, int tokenEnd) {
    int at = tokenEnd;
    while (at > from && !isSeparator(b[at - 1])) {
      at--;
    }
    return at;
  }

  private static int nextToken(byte[] b, int from, int to) {
    int at = from;
    while (at < to && !isSeparator(b[at])) {
      at++;
    }
    return Math.min(at + 1, to);
  }

  private static boolean isSeparator(byte value) {
    return value == ' ' || value == '\t';
  }

  private static boolean isLetter(byte value, char lower) {
    return (value | 0x20) == lower;
  }

  private static IOException malformed(byte[] b, int from, int to) {
    int shown = Math.min(to - 2, from + 200);
    return new IOException(
        "The server sent a malformed line: " + new String(b, from, shown - from, US_ASCII));
  }
}
