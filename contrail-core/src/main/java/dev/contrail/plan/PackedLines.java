package dev.contrail.plan;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Lines of text, compressed: ids are much alike. */
final class PackedLines {
  private static final int LARGEST = 64 << 20;

  private PackedLines() {}

  static byte[] pack(List<String> lines) {
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try {
      deflater.setInput(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
      deflater.finish();
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      byte[] buffer = new byte[8 * 1024];
      while (!deflater.finished()) {
        out.write(buffer, 0, deflater.deflate(buffer));
      }
      return out.toByteArray();
    } finally {
      deflater.end();
    }
  }

  /** Empty where that is not what {@link #pack} makes. */
  static Optional<List<String>> unpack(byte[] packed) {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(packed);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      byte[] buffer = new byte[8 * 1024];
      while (!inflater.finished()) {
        int length = inflater.inflate(buffer);
        if ((length == 0 && !inflater.finished()) || out.size() > LARGEST) {
          return Optional.empty();
        }
        out.write(buffer, 0, length);
      }
      String text = out.toString(StandardCharsets.UTF_8);
      return Optional.of(text.isEmpty() ? List.of() : List.of(text.split("\n", -1)));
    } catch (DataFormatException malformed) {
      return Optional.empty();
    } finally {
      inflater.end();
    }
  }
}
