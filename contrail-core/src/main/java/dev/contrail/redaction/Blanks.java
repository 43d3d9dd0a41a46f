package dev.contrail.redaction;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.evidence.DeadLetter;
import java.util.List;

/**
 * Finds what {@link Redaction} put in the place of what it blanked out: nobody ever sent that, and
 * nobody should get it.
 */
public final class Blanks {
  private Blanks() {}

  /** Whether a payload holds a mark in the place of something. */
  public static boolean isMarked(byte[] payload) {
    // What is no UTF-8 is read with other characters in its place, and the mark is found all the
    // same.
    String text = new String(payload, UTF_8);
    return text.contains(Redaction.MARK) || text.startsWith(Redaction.WITHHELD);
  }

  /** The names of the headers of which nothing but the mark was stored. */
  public static List<String> headers(DeadLetter letter) {
    return letter.redacted()
        ? letter.message().headers().lines().stream()
            .filter(Blanks::isBlank)
            .map(Header::name)
            .distinct()
            .toList()
        : List.of();
  }

  /** The header block without them; byte for byte as it was stored where there are none. */
  public static byte[] headerBlock(DeadLetter letter) {
    return headers(letter).isEmpty()
        ? letter.message().headerBlock()
        : Headers.of(
                letter.message().headers().lines().stream().filter(it -> !isBlank(it)).toList())
            .block();
  }

  private static boolean isBlank(Header header) {
    return header.value().strip().equals(Redaction.MARK);
  }
}
