package dev.contrail.console.notice;

import dev.contrail.console.access.Allowance;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Notices that wait to be sent: a bounded number, and no more in a time than people can read. What
 * is more, or was not taken in time, is counted and told as one notice when there is room again.
 * Time is an argument. Thread-safe.
 */
final class Outbox {
  static final int MOST_AT_ONCE = 20;
  static final int MOST_WAITING = 100;
  // One more in each 30 s.
  private static final double PER_SECOND = 1.0 / 30;

  /**
   * One that waits.
   *
   * @param told since when
   * @param counts what is not told when it is dropped
   * @param since the oldest of that
   */
  record Waiting(Notice notice, Instant told, Map<NoticeKind, Long> counts, Instant since) {}

  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final Allowance allowance = new Allowance(MOST_AT_ONCE, PER_SECOND);
  private final Map<NoticeKind, Long> suppressed = new EnumMap<>(NoticeKind.class);
  private Instant suppressedSince = Instant.MAX;

  /** Takes one in; false where there are too many. */
  synchronized boolean offer(Notice notice, Instant now) {
    // As long as the sum is owed, the others would come before it.
    if (suppressed.isEmpty() && waiting.size() < MOST_WAITING && allowance.take("", now)) {
      waiting.addLast(new Waiting(notice, now, Map.of(notice.kind(), 1L), now));
      notifyAll();
      return true;
    }
    count(Map.of(notice.kind(), 1L), now);
    return false;
  }

  private void count(Map<NoticeKind, Long> counts, Instant since) {
    counts.forEach((kind, count) -> suppressed.merge(kind, count, Long::sum));
    suppressedSince = since.isBefore(suppressedSince) ? since : suppressedSince;
  }

  /** The next to be sent, which stays first until it is {@link #done} or {@link #drop}ped. */
  synchronized Optional<Waiting> peek(Instant now) {
    if (waiting.isEmpty() && !suppressed.isEmpty() && allowance.take("", now)) {
      waiting.addLast(sum(now));
    }
    return Optional.ofNullable(waiting.peekFirst());
  }

  /** The first was sent, or is not wanted. */
  synchronized void done() {
    waiting.pollFirst();
  }

  /** The first was not sent in time: it is counted. */
  synchronized void drop() {
    Waiting first = waiting.pollFirst();
    if (first != null) {
      count(first.counts(), first.since());
    }
  }

  synchronized int size() {
    return waiting.size();
  }

  /** Waits for something to be sent, or for so long. */
  synchronized void await(long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    long left = millis;
    while (waiting.isEmpty() && left > 0) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
  }

  private Waiting sum(Instant now) {
    long all = suppressed.values().stream().mapToLong(Long::longValue).sum();
    Map<String, Object> kinds = new LinkedHashMap<>();
    suppressed.forEach((kind, count) -> kinds.put(kind.text(), count));
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("count", all);
    about.put("since", suppressedSince.toString());
    about.put("kinds", kinds);
    String text =
        all
            + " more notices were not sent: "
            + suppressed.entrySet().stream()
                .map(it -> it.getValue() + " of " + it.getKey().many())
                .collect(Collectors.joining(", "))
            + ". The console and the log have all of them.";
    Waiting sum =
        new Waiting(
            new Notice(NoticeKind.SUPPRESSED, now, text, about, "/"),
            now,
            Map.copyOf(suppressed),
            suppressedSince);
    suppressed.clear();
    suppressedSince = Instant.MAX;
    return sum;
  }
}
