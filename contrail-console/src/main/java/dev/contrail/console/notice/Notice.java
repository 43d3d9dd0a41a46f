package dev.contrail.console.notice;

import dev.contrail.operations.view.PlainText;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Something to be told. Never holds a payload, a header or the message of an exception.
 *
 * @param text one sentence for people
 * @param about stream, consumer and so on, in the order in which they are written; their names do
 *     not change
 * @param path of the page of the console with more
 */
public record Notice(
    NoticeKind kind, Instant at, String text, Map<String, Object> about, String path) {
  private static final int LONGEST = 200;

  public Notice {
    about = Collections.unmodifiableMap(new LinkedHashMap<>(about));
  }

  /** A name from outside, for a sentence: on one line and not for ever. */
  static String name(String text) {
    String plain = PlainText.of(text.length() > LONGEST ? text.substring(0, LONGEST) : text);
    return text.length() > LONGEST ? plain + "…" : plain;
  }
}
