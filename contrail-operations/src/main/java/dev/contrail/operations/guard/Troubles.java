package dev.contrail.operations.guard;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What fails at present. Each cause is news once, however many messages it keeps from being dealt
 * with; when nothing failed for it for longer than the longest pause between two tries, it is over,
 * and would be news again. Not thread-safe.
 */
final class Troubles {
  private static final long OVER_AFTER_NANOS = Duration.ofSeconds(90).toNanos();
  private static final int MOST = 100;
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  private final Map<String, Long> causes = new HashMap<>();
  private String last = "";
  private long lastNanos;

  /**
   * Something failed.
   *
   * @param cause what is the same for all that fail for it, but for numbers
   * @return whether that is news
   */
  boolean add(String sentence, String cause, long nowNanos) {
    causes.values().removeIf(then -> isOver(then, nowNanos));
    last = sentence;
    lastNanos = nowNanos;
    // Of many messages that fail for one reason, each may name its own sequence.
    String kind = NUMBER.matcher(cause).replaceAll("#");
    if (causes.size() >= MOST && !causes.containsKey(kind)) {
      return false;
    }
    return causes.put(kind, nowNanos) == null;
  }

  /** What failed last, in a sentence; empty where nothing fails any more. */
  Optional<String> now(long nowNanos) {
    return last.isEmpty() || isOver(lastNanos, nowNanos) ? Optional.empty() : Optional.of(last);
  }

  private static boolean isOver(long thenNanos, long nowNanos) {
    return nowNanos - thenNanos > OVER_AFTER_NANOS;
  }
}
