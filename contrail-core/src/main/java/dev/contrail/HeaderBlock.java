package dev.contrail;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The header block as it stands in a NATS message: a version line, header lines, a blank line. */
final class HeaderBlock {
  private static final byte[] VERSION = "NATS/1.0".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NO_BYTES = {};

  private HeaderBlock() {}

  static List<Header> parse(byte[] block) {
    List<Header> lines = new ArrayList<>();
    int start = startsWithVersion(block) ? afterLine(block, 0) : 0;
    while (start < block.length) {
      int next = afterLine(block, start);
      int end = endOfText(block, start, next);
      if (end == start) {
        break;
      }
      lines.add(parseLine(block, start, end));
      start = next;
    }
    return lines;
  }

  static byte[] write(List<Header> lines) {
    if (lines.isEmpty()) {
      return NO_BYTES;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(VERSION);
    endLine(out);
    for (Header line : lines) {
      out.writeBytes(onOneLine(line.name()));
      out.write(':');
      out.writeBytes(onOneLine(line.value()));
      endLine(out);
    }
    endLine(out);
    return out.toByteArray();
  }

  private static boolean startsWithVersion(byte[] block) {
    return block.length >= VERSION.length
        && Arrays.equals(block, 0, VERSION.length, VERSION, 0, VERSION.length);
  }

  private static int afterLine(byte[] block, int start) {
    int at = start;
    while (at < block.length && block[at] != '\n') {
      at++;
    }
    return Math.min(at + 1, block.length);
  }

  private static int endOfText(byte[] block, int start, int next) {
    int end = next;
    if (end > start && block[end - 1] == '\n') {
      end--;
    }
    if (end > start && block[end - 1] == '\r') {
      end--;
    }
    return end;
  }

  private static Header parseLine(byte[] block, int start, int end) {
    int colon = start;
    while (colon < end && block[colon] != ':') {
      colon++;
    }
    int valueStart = Math.min(colon + 1, end);
    int valueEnd = end;
    while (valueStart < valueEnd && isBlank(block[valueStart])) {
      valueStart++;
    }
    while (valueEnd > valueStart && isBlank(block[valueEnd - 1])) {
      valueEnd--;
    }
    return new Header(text(block, start, colon), text(block, valueStart, valueEnd));
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }

  private static String text(byte[] block, int start, int end) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(block, start, end - start))
          .toString();
    } catch (CharacterCodingException notUtf8) {
      return new String(block, start, end - start, StandardCharsets.ISO_8859_1);
    }
  }

  // A line break inside a value would start a header of its own.
  private static byte[] onOneLine(String text) {
    return text.replace('\r', ' ').replace('\n', ' ').getBytes(StandardCharsets.UTF_8);
  }

  private static void endLine(ByteArrayOutputStream out) {
    out.write('\r');
    out.write('\n');
  }
}
