package dev.contrail.operations.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.evidence.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What differs between two payloads, for people to read: a unified difference of texts, sizes and
 * hashes of anything else. Bounded, whatever the payloads are.
 */
public final class PayloadDifference {
  /** The most bytes that a difference takes. */
  public static final int MOST_BYTES = 8_192;

  private static final String NO_LINE_END = "\n\\ no line end here";

  private PayloadDifference() {}

  /** Whether it can be shown line by line. */
  public static boolean isText(byte[] payload) {
    return text(payload).isPresent();
  }

  /** Lines with a line feed between them; empty where nothing differs. */
  public static String of(byte[] before, byte[] after) {
    return of(before, after, MOST_BYTES);
  }

  /**
   * The same in so many bytes at most.
   *
   * @return empty where there is no room for anything that tells something
   */
  static String of(byte[] before, byte[] after, int mostBytes) {
    Optional<String> old = text(before);
    Optional<String> now = text(after);
    List<String> lines =
        old.isPresent() && now.isPresent()
            ? of(old.get(), now.get())
            : List.of("-" + described(before), "+" + described(after));
    return within(mostBytes, lines);
  }

  private static List<String> of(String before, String after) {
    // Told only where it differs: most payloads have none, and nobody misses it.
    boolean tell = before.endsWith("\n") != after.endsWith("\n");
    List<LineDifference.Line> lines = LineDifference.of(lines(before, tell), lines(after, tell));
    List<String> told = new ArrayList<>();
    for (String line : Hunks.of(lines)) {
      told.addAll(List.of(line.split("\n", -1)));
    }
    return told;
  }

  private static List<String> lines(String text, boolean tellEnd) {
    if (text.isEmpty()) {
      return List.of();
    }
    boolean ends = text.endsWith("\n");
    List<String> lines =
        new ArrayList<>(
            List.of((ends ? text.substring(0, text.length() - 1) : text).split("\n", -1)));
    if (tellEnd && !ends) {
      lines.set(lines.size() - 1, lines.get(lines.size() - 1) + NO_LINE_END);
    }
    return lines;
  }

  private static String within(int mostBytes, List<String> lines) {
    StringBuilder told = new StringBuilder();
    int bytes = 0;
    for (int i = 0; i < lines.size(); i++) {
      String rest = "… " + (lines.size() - i) + " more lines differ or stand beside them";
      int size = bytes(lines.get(i)) + 1;
      boolean last = i == lines.size() - 1;
      if (bytes + size + (last ? 0 : bytes(rest)) > mostBytes) {
        return bytes == 0 ? "" : told.append('\n').append(rest).toString();
      }
      told.append(i == 0 ? "" : "\n").append(lines.get(i));
      bytes += size;
    }
    return told.toString();
  }

  private static int bytes(String text) {
    return text.getBytes(UTF_8).length;
  }

  private static String described(byte[] payload) {
    return payload.length + " bytes, sha-256 " + Sha256.hex(payload);
  }

  private static Optional<String> text(byte[] payload) {
    try {
      return Optional.of(UTF_8.newDecoder().decode(ByteBuffer.wrap(payload)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
