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
    long bytes;
    boolean brought;

    Pull(long id, int owed, long bytes, long overNanos) {
      this.id = id;
      this.owed = owed;
      this.bytes = bytes;
      this.overNanos = overNanos;
    }
  }

  private final Deque<Pull> pulls = new ArrayDeque<>();
  private long ids;
  private int owed;
  private long owedBytes;
  private boolean metLarger;
  private long heardNanos;
  private Optional<Now> lastLook = Optional.empty();

  /** How many messages may still come on the pulls under way. */
  int owed() {
    return owed;
  }

  /** How much those may weigh. */
  long owedBytes() {
    return owedBytes;
  }

  /** Whether a message waits that is larger than a whole pull was, and nothing has come since. */
  boolean metLarger() {
    return metLarger;
  }

  long open(int batch, long bytes, Now now) {
    if (pulls.isEmpty()) {
      heardNanos = now.nanos();
    }
    pulls.add(new Pull(++ids, batch, bytes, now.nanos() + Worker.PULL_EXPIRES.toNanos() + GRACE));
    owed += batch;
    owedBytes += bytes;
    return ids;
  }

  /** The server serves pulls in their order, so a message is taken to be of the oldest. */
  void received(long bytes, Now now) {
    heardNanos = now.nanos();
    metLarger = false;
    Pull oldest = pulls.peek();
    if (oldest != null) {
      long counted = Math.min(bytes, oldest.bytes);
      oldest.bytes -= counted;
      owedBytes -= counted;
      oldest.brought = true;
      oldest.owed--;
      owed--;
      if (oldest.owed == 0) {
        pulls.remove();
        owedBytes -= oldest.bytes;
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
          if (ended) {
            release(pull);
          }
          return ended;
        });
  }

  /** The next message is larger than what was left of the pull, which is over. */
  void tooSmall(long id) {
    for (Pull pull : pulls) {
      metLarger |= pull.id == id && !pull.brought;
    }
    ended(id);
  }

  void abandon() {
    pulls.clear();
    owed = 0;
    owedBytes = 0;
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
      release(pulls.remove());
    }
    boolean silent = !pulls.isEmpty() && now.nanos() - heardNanos > SILENCE;
    if (silent) {
      abandon();
    }
    return silent;
  }

  private void release(Pull pull) {
    owed -= pull.owed;
    owedBytes -= pull.bytes;
  }
}
