package dev.contrail.event;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.evidence.HeaderText;
import dev.contrail.evidence.StoredTime;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What somebody did that is about no dead letter, as it is on record: stored once, beside the
 * events of dead letters, under {@code <prefix>.event._act.<token>}.
 *
 * @param token that no other has; the later, the greater
 * @param by who
 * @param what it was done to, such as {@code ORDERS billing}
 * @param because why, where that was said
 */
public record Act(String token, Instant at, String by, Kind kind, String what, String because) {
  private static final String ACTS = ".event._act.";
  private static final int ACT_VERSION = 1;

  /** What was done. */
  public enum Kind {
    WORKERS_PAUSED,
    WORKERS_RESUMED,
    TOKEN_CREATED,
    TOKEN_REVOKED;

    /** As it is stored and shown: {@code workers-paused}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Optional<Kind> parse(String text) {
      return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findFirst();
    }
  }

  /** All of them, as a filter. */
  public static String subjects(String prefix) {
    return prefix + ACTS + "*";
  }

  /** Where it is stored. */
  public String subject(String prefix) {
    return prefix + ACTS + token;
  }

  /** The headers to store it with; there is nothing else. */
  public Headers encode() {
    List<Header> lines = new ArrayList<>();
    lines.add(new Header(EventHeader.VERSION, Integer.toString(ACT_VERSION)));
    lines.add(new Header(EventHeader.EVENT, kind.text()));
    lines.add(new Header(EventHeader.AT, at.toString()));
    add(lines, EventHeader.BY, by);
    add(lines, EventHeader.WHAT, what);
    add(lines, EventHeader.TEXT, because);
    return Headers.of(lines);
  }

  private static void add(List<Header> lines, String name, String text) {
    if (!text.isEmpty()) {
      lines.add(new Header(name, HeaderText.encode(text)));
    }
  }

  /**
   * The one that is stored under that subject.
   *
   * @throws UnreadableEventException when it is damaged, or was written by a newer release
   */
  public static Act decode(String prefix, String subject, Headers headers) {
    String token = subject.substring(Math.min(subject.length(), (prefix + ACTS).length()));
    String version = headers.first(EventHeader.VERSION).orElse("");
    if (!version.equals(Integer.toString(ACT_VERSION))) {
      throw new UnreadableEventException(
          "act " + token,
          "it has the version '" + version + "', this release reads " + ACT_VERSION);
    }
    String kind = headers.first(EventHeader.EVENT).orElse("");
    try {
      return new Act(
          token,
          StoredTime.parse(headers.first(EventHeader.AT).orElse("")),
          text(token, headers, EventHeader.BY),
          Kind.parse(kind)
              .orElseThrow(
                  () ->
                      new UnreadableEventException(
                          "act " + token, "'" + kind + "' is nothing that is done")),
          text(token, headers, EventHeader.WHAT),
          text(token, headers, EventHeader.TEXT));
    } catch (DateTimeException malformed) {
      throw new UnreadableEventException("act " + token, EventHeader.AT + " is no time");
    }
  }

  private static String text(String token, Headers headers, String name) {
    return HeaderText.decode(headers.first(name).orElse(""))
        .orElseThrow(
            () ->
                new UnreadableEventException(
                    "act " + token, name + " is not encoded as it should be"));
  }
}
