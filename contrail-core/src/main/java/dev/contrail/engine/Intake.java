package dev.contrail.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** The pulls under way: what the server still owes on each, and whether it is heard of at all. */
final class Intake {
  private static final long SILENCE =
      Worker.PULL_HEARTBEAT.multipliedBy(2).plusSeconds(2).toNanos();
  private static final long GRACE = Duration.ofSeconds(1).toNanos();

  private static final class Pull {
    final long id;
    final long overNanos;
    int owed;

    Pull(long id, int owed, long overNanos) {
      this.id = id;
      this.owed = owed;
      this.overNanos = overNanos;
    }
  }

  private final Deque<Pull> pulls = new ArrayDeque<>();
  private long ids;
  private int owed;
  private long heardNanos;
  private Optional<Now> lastLook = Optional.empty();

  /** How many messages may still come on the pulls under way. */
  int owed() {
    return owed;
  }

  long open(int batch, Now now) {
    if (pulls.isEmpty()) {
      heardNanos = now.nanos();
    }
    pulls.add(new Pull(++ids, batch, now.nanos() + Worker.PULL_EXPIRES.toNanos() + GRACE));
    owed += batch;
    return ids;
  }

  /** The server serves pulls in their order, so a message is taken to be of the oldest. */
  void received(Now now) {
    heardNanos = now.nanos();
    Pull oldest = pulls.peek();
    if (oldest != null) {
      owed--;
      if (--oldest.owed == 0) {
        pulls.remove();
      }
    }
  }

  void heard(Now now) {
    heardNanos = now.nanos();
  }

  void ended(long id) {
    pulls.removeIf(
        pull -> {
          boolean ended = pull.id == id;
          owed -= ended ? pull.owed : 0;
          return ended;
        });
  }

  void abandon() {
    pulls.clear();
    owed = 0;
  }

  /** Drops what has expired; returns whether the server went silent, and drops all if so. */
  boolean wentSilent(Now now) {
    long gap = lastLook.map(last -> now.nanos() - last.nanos()).orElse(0L);
    lastLook = Optional.of(now);
    if (gap > Worker.PULL_HEARTBEAT.toNanos()) {
      // It was this process that did not listen: what the server said may still wait to be read.
      heardNanos = now.nanos();
      return false;
    }
    while (!pulls.isEmpty() && now.nanos() - pulls.element().overNanos > 0) {
      owed -= pulls.remove().owed;
    }
    boolean silent = !pulls.isEmpty() && now.nanos() - heardNanos > SILENCE;
    if (silent) {
      abandon();
    }
    return silent;
  }
}
