package dev.contrail.cli.drill.worker;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * What a message of a drill has its handler do. It is in the headers, so that payloads can be
 * anything.
 *
 * @param number of the work, from 1
 */
public record Task(long number, Kind kind) {
  public static final String NUMBER = "Drill-Number";
  public static final String KIND = "Drill-Task";

  /** What becomes of it. */
  public enum Kind {
    /** Is done. */
    OK,
    /** Dies at once. */
    REJECT,
    /** Fails until it dies. */
    FAIL,
    /** Is done, and takes two and a half times AckWait. */
    SLOW,
    /** Dies at once, and is done when it is replayed. */
    REJECT_ONCE;

    /** As it is in the header. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The task that the headers tell of. */
  static Task of(Optional<String> number, Optional<String> kind) {
    return new Task(
        number.map(Long::parseLong).orElse(0L),
        kind.map(text -> Kind.valueOf(text.toUpperCase(Locale.ROOT))).orElse(Kind.OK));
  }

  /** Whether it must die of the handler's judgement. */
  boolean isRejected(boolean replayed) {
    return kind == Kind.REJECT || (kind == Kind.REJECT_ONCE && !replayed);
  }

  /** How long the handler takes. */
  Duration time(Duration usual, Duration ackWait) {
    return kind == Kind.SLOW ? ackWait.multipliedBy(5).dividedBy(2) : usual;
  }
}
