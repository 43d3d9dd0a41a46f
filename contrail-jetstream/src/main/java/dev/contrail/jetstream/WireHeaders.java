package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.nats.client.support.IncomingHeadersProcessor;
import io.nats.client.support.Status;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * The header block of a message as it stands on the wire. The server passes on any bytes; jnats
 * throws on many of them, and its reader thread dies of it, and it alters others. Whatever is not
 * known to be safe here is hostile, so the grammar is narrower than what jnats reads.
 */
final class WireHeaders {
  /** The header that carries the original block, in base64, of a message that was rewritten. */
  static final String RAW = "Contrail-Raw-Headers";

  enum Kind {
    PLAIN,
    /** Begins with a status line, which makes jnats take the message for one of the server's. */
    STATUS,
    HOSTILE
  }

  private static final byte[] VERSION = "NATS/1.0".getBytes(US_ASCII);
  private static final byte[] RAW_NAME = RAW.getBytes(US_ASCII);
  private static final byte[] CRLF = {'\r', '\n'};
  private static final int LONGEST_STATUS_CODE = 9;
  private static final int NONE = -1;

  private WireHeaders() {}

  /** What jnats would make of the block in {@code b[from, to)}. Allocates nothing. */
  static Kind kind(byte[] b, int from, int to) {
    if (!startsWithVersion(b, from, to)) {
      return Kind.HOSTILE;
    }
    int at = from + VERSION.length;
    Kind kind = Kind.PLAIN;
    if (at < to && b[at] == ' ') {
      kind = Kind.STATUS;
      at = afterStatus(b, at, to);
      if (at == to) {
        return kind;
      }
    } else {
      at = isCrlf(b, at, to) ? at + 2 : NONE;
    }
    while (at != NONE && !isCrlf(b, at, to)) {
      at = afterLine(b, at, to);
    }
    return at != NONE && at + 2 == to ? kind : Kind.HOSTILE;
  }

  /** What the server says with a block that is a status; empty for any other. */
  static Optional<Status> status(byte[] block) {
    return kind(block, 0, block.length) == Kind.STATUS
        ? Optional.ofNullable(new IncomingHeadersProcessor(block).getStatus())
        : Optional.empty();
  }

  /** A block that jnats reads, with the harmless lines of {@code block} and all of it as RAW. */
  static byte[] harmless(byte[] block) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(block.length * 7 / 3 + 64);
    out.writeBytes(VERSION);
    out.writeBytes(CRLF);
    if (startsWithVersion(block, 0, block.length)) {
      keepHarmlessLines(block, out);
    }
    out.writeBytes(RAW_NAME);
    out.write(':');
    out.writeBytes(Base64.getEncoder().encode(block));
    out.writeBytes(CRLF);
    out.writeBytes(CRLF);
    return out.toByteArray();
  }

  private static void keepHarmlessLines(byte[] block, ByteArrayOutputStream out) {
    int line = nextLine(block, 0);
    while (line < block.length && !isCrlf(block, line, block.length)) {
      int next = nextLine(block, line);
      if (afterLine(block, line, next) == next) {
        out.write(block, line, next - line);
      }
      line = next;
    }
  }

  private static int nextLine(byte[] block, int from) {
    int at = from;
    while (at < block.length && !isCrlf(block, at, block.length)) {
      at++;
    }
    return Math.min(at + 2, block.length);
  }

  private static boolean startsWithVersion(byte[] b, int from, int to) {
    return to - from >= VERSION.length
        && Arrays.equals(b, from, from + VERSION.length, VERSION, 0, VERSION.length);
  }

  private static boolean isCrlf(byte[] b, int at, int to) {
    return at + 1 < to && b[at] == '\r' && b[at + 1] == '\n';
  }

  private static int afterStatus(byte[] b, int from, int to) {
    int code = skipSpaces(b, from, to);
    int at = code;
    while (at < to && b[at] >= '0' && b[at] <= '9') {
      at++;
    }
    if (at == code || at - code > LONGEST_STATUS_CODE) {
      return NONE;
    }
    if (at < to && b[at] == ' ') {
      at = skipSpaces(b, at, to);
      if (isCrlf(b, at, to)) {
        // jnats takes this line end for the text, and then wants nothing but one more.
        return isCrlf(b, at + 2, to) && at + 4 == to ? to : NONE;
      }
      while (at < to && b[at] != '\r') {
        at++;
      }
    }
    return isCrlf(b, at, to) ? at + 2 : NONE;
  }

  private static int skipSpaces(byte[] b, int from, int to) {
    int at = from;
    while (at < to && b[at] == ' ') {
      at++;
    }
    return at;
  }

  /** The position after the line that begins at {@code from}, or NONE when it is not harmless. */
  private static int afterLine(byte[] b, int from, int to) {
    int nameEnd = from;
    while (nameEnd < to && b[nameEnd] > ' ' && b[nameEnd] < 127 && b[nameEnd] != ':') {
      nameEnd++;
    }
    if (nameEnd == from || isRawName(b, from, nameEnd)) {
      return NONE;
    }
    if (nameEnd == to || b[nameEnd] != ':') {
      return NONE;
    }
    int value = nameEnd + 1;
    int at = value;
    while (at < to && b[at] >= 0 && b[at] != '\r' && b[at] != '\n') {
      at++;
    }
    return isCrlf(b, at, to) && keepsItsEnds(b, value, at) ? at + 2 : NONE;
  }

  /** jnats cuts control bytes off the ends of a value, not only the blanks around it. */
  private static boolean keepsItsEnds(byte[] b, int from, int to) {
    int first = from;
    while (first < to && isBlank(b[first])) {
      first++;
    }
    int last = to - 1;
    while (last > first && isBlank(b[last])) {
      last--;
    }
    return first == to || (b[first] > ' ' && b[last] > ' ');
  }

  private static boolean isBlank(byte value) {
    return value == ' ' || value == '\t';
  }

  // A name the sender chose may not pass for ours, or it could forge the original headers.
  private static boolean isRawName(byte[] b, int from, int to) {
    return to - from == RAW_NAME.length && Arrays.equals(b, from, to, RAW_NAME, 0, RAW_NAME.length);
  }
}
