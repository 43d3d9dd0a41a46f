package dev.contrail.console.pages;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.operations.replay.PayloadDifference;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A payload as it is shown: as JSON where it is such, as text, as bytes. What is long is cut.
 *
 * @param json empty where it is none
 * @param isText whether it is UTF-8
 * @param cut whether not all of it is shown
 */
public record PayloadView(
    Optional<String> json, String text, String hex, boolean isText, long bytes, boolean cut) {
  private static final int MOST_TEXT = 64 * 1024;
  private static final int MOST_HEX = 4 * 1024;
  private static final int PER_LINE = 16;

  static PayloadView of(byte[] payload) {
    boolean isText = PayloadDifference.isText(payload);
    int shown = Math.min(MOST_TEXT, payload.length);
    String text = VisibleText.of(new String(payload, 0, shown, UTF_8));
    Optional<String> json =
        isText && payload.length <= MOST_TEXT
            ? JsonLayout.of(new String(payload, UTF_8)).map(VisibleText::of)
            : Optional.empty();
    return new PayloadView(
        json, text, hex(payload), isText, payload.length, payload.length > MOST_TEXT);
  }

  private static String hex(byte[] payload) {
    StringBuilder lines = new StringBuilder();
    HexFormat format = HexFormat.ofDelimiter(" ");
    int end = Math.min(MOST_HEX, payload.length);
    for (int from = 0; from < end; from += PER_LINE) {
      int to = Math.min(from + PER_LINE, end);
      StringBuilder letters = new StringBuilder();
      for (int i = from; i < to; i++) {
        char c = (char) (payload[i] & 0xFF);
        letters.append(c >= ' ' && c < 0x7F ? c : '.');
      }
      lines.append(
          String.format("%06x  %-47s  %s%n", from, format.formatHex(payload, from, to), letters));
    }
    return lines.append(end < payload.length ? "…" : "").toString();
  }
}
