package dev.contrail.console.desk;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What was answered to the questions that were asked lately, each {@link Remembered}. Thread-safe.
 */
final class RememberedEach<K, T> {
  private static final int MOST = 32;

  private final Duration fresh;
  private final Map<K, Remembered<T>> byQuestion =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, Remembered<T>> eldest) {
          return size() > MOST;
        }
      };

  /**
   * Nothing is known yet.
   *
   * @param fresh how old an answer may be
   */
  RememberedEach(Duration fresh) {
    this.fresh = fresh;
  }

  /** The answer, as {@link Remembered#get} has it. */
  T get(K question, Supplier<T> ask, Instant now) {
    Remembered<T> known;
    synchronized (byQuestion) {
      known = byQuestion.computeIfAbsent(question, any -> new Remembered<>(fresh));
    }
    return known.get(ask, now);
  }

  /** No answer to a question that was asked before is given from now on. */
  void expire(Instant now) {
    synchronized (byQuestion) {
      byQuestion.values().forEach(known -> known.expire(now));
    }
  }
}
