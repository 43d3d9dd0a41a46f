package dev.contrail.event;

import dev.contrail.Header;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Puts header lines before those of a block, whose bytes stay as they are. */
final class CopyBlock {
  private static final String VERSION = "NATS/1.0";
  private static final String LINE_END = "\r\n";

  private CopyBlock() {}

  /**
   * The lines come first: servers of the 2.9 line take the first place in the block where the name
   * of a header of theirs stands, be it inside a value.
   */
  static byte[] of(List<Header> lines, byte[] original) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(original.length + 512);
    int start = 0;
    if (startsWithVersion(original)) {
      start = afterLine(original, 0);
      out.write(original, 0, start);
    } else {
      write(out, VERSION + LINE_END);
    }
    for (Header line : lines) {
      write(out, line.name() + ": " + line.value() + LINE_END);
    }
    if (original.length == 0) {
      write(out, LINE_END);
    }
    copyOthers(original, start, out);
    return out.toByteArray();
  }

  private static void copyOthers(byte[] block, int begin, ByteArrayOutputStream out) {
    int start = begin;
    while (start < block.length) {
      int next = afterLine(block, start);
      if (!isLeftOut(block, start, next)) {
        out.write(block, start, next - start);
      }
      start = next;
    }
  }

  private static boolean isLeftOut(byte[] block, int start, int end) {
    int colon = start;
    while (colon < end && block[colon] != ':') {
      colon++;
    }
    String name =
        new String(block, start, colon - start, StandardCharsets.ISO_8859_1)
            .strip()
            .toLowerCase(Locale.ROOT);
    return name.startsWith("nats-") || name.startsWith("contrail-replay-");
  }

  private static boolean startsWithVersion(byte[] block) {
    int next = afterLine(block, 0);
    return next > 0
        && block[next - 1] == '\n'
        && new String(block, 0, next, StandardCharsets.ISO_8859_1).startsWith(VERSION);
  }

  private static int afterLine(byte[] block, int start) {
    int at = start;
    while (at < block.length && block[at] != '\n') {
      at++;
    }
    return Math.min(at + 1, block.length);
  }

  private static void write(ByteArrayOutputStream out, String text) {
    out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }
}
