package dev.contrail.cli.work;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Hands on what is written to it line by line; what goes beyond the longest line is left out. */
final class LineSplitter extends OutputStream {
  private static final int LONGEST = 4096;

  private final Consumer<String> lines;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  LineSplitter(Consumer<String> lines) {
    this.lines = lines;
  }

  @Override
  public synchronized void write(int b) {
    if (b == '\n') {
      lines.accept(take());
    } else if (line.size() < LONGEST) {
      line.write(b);
    }
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      write(bytes[i]);
    }
  }

  /** Hands on the last line if it has no line feed. */
  @Override
  public synchronized void close() {
    if (line.size() > 0) {
      lines.accept(take());
    }
  }

  private String take() {
    String text = line.toString(StandardCharsets.UTF_8);
    line.reset();
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }
}
