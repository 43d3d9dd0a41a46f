package dev.contrail.operations.guard;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What fails at present. Each cause is news once, however many messages it keeps from being dealt
 * with; when nothing failed for longer than the longest pause between two tries, it is over, and
 * would be news again. Not thread-safe.
 */
final class Troubles {
  private static final long OVER_AFTER_NANOS = Duration.ofSeconds(90).toNanos();
  private static final int MOST = 100;

  private final Set<String> causes = new HashSet<>();
  private String last = "";
  private long lastNanos;

  /**
   * Something failed.
   *
   * @param cause what is the same for all that fail for it
   * @return whether that is news
   */
  boolean add(String sentence, String cause, long nowNanos) {
    if (isOver(nowNanos)) {
      causes.clear();
    }
    last = sentence;
    lastNanos = nowNanos;
    return causes.size() < MOST && causes.add(cause);
  }

  /** What failed last, in a sentence; empty where nothing fails any more. */
  Optional<String> now(long nowNanos) {
    return isOver(nowNanos) ? Optional.empty() : Optional.of(last);
  }

  private boolean isOver(long nowNanos) {
    return last.isEmpty() || nowNanos - lastNanos > OVER_AFTER_NANOS;
  }
}
