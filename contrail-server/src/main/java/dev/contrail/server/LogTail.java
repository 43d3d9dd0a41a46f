package dev.contrail.server;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The end of a log, short enough for an exception. */
final class LogTail {
  private static final int LINES = 20;
  private static final int BYTES = 16 * 1024;

  private LogTail() {}

  /** The last lines written after {@code from}; empty if there is no log. */
  static String since(Path log, long from) {
    if (!Files.exists(log)) {
      return "";
    }
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long start = Math.max(from, file.length() - BYTES);
      byte[] bytes = new byte[(int) Math.max(0, file.length() - start)];
      file.seek(start);
      file.readFully(bytes);
      return lastLines(new String(bytes, StandardCharsets.UTF_8));
    } catch (IOException e) {
      return "(the log " + log + " cannot be read: " + e.getMessage() + ")";
    }
  }

  static String lastLine(String text) {
    List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
    return lines.isEmpty() ? "(it said nothing)" : lines.get(lines.size() - 1).strip();
  }

  private static String lastLines(String text) {
    List<String> lines = text.lines().toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
  }
}
