package dev.contrail.console.desk;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/** What happened lately, as far as this process saw it. Bounded. Thread-safe. */
public final class RecentChanges {
  private static final int MOST = 200;

  /** How bad it is. */
  public enum Tone {
    GOOD,
    PLAIN,
    BAD
  }

  /**
   * Something that happened.
   *
   * @param link where more is to be seen; a path
   */
  public record Change(Instant at, Tone tone, String what, String link) {}

  private final InstantSource clock;
  private final Deque<Change> changes = new ArrayDeque<>();
  private long count;

  public RecentChanges(InstantSource clock) {
    this.clock = clock;
  }

  public synchronized void add(Tone tone, String what, String link) {
    if (changes.size() == MOST) {
      changes.removeFirst();
    }
    changes.addLast(new Change(clock.instant(), tone, what, link));
    count++;
  }

  /** Those of that long ago at most, the newest first. */
  public synchronized List<Change> since(Duration ago) {
    Instant from = clock.instant().minus(ago);
    List<Change> all = new ArrayList<>(changes);
    all.removeIf(change -> change.at().isBefore(from));
    Collections.reverse(all);
    return all;
  }

  /** Grows with every one. */
  public synchronized long count() {
    return count;
  }
}
