package dev.contrail.ledger.log;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Keeps the log short: a block that got many records gets a snapshot of what they add up to, and
 * once that has come back from the log, and everybody who is still reading has had time to meet it,
 * they are purged. Killed anywhere in between, nothing is missing, and the next one to read the log
 * finds what is left to purge. Whoever wrote the record that was one too many sees to it, so that
 * workers do not do it all at once; if two do, nothing is lost either.
 *
 * <p>All of it is done at moments when it is certain which log this is: places mean nothing in one
 * that was deleted and made again.
 */
final class Compaction {
  /** More than {@link LedgerLog#LONGEST_BARRIER} by far, for clocks do not all run alike. */
  static final long PURGE_DELAY = Duration.ofSeconds(30).toNanos();

  static final int MOST_RECORDS = 64;
  static final int MOST_BARRIERS = 1_000;
  private static final long COLD = Duration.ofSeconds(10).toNanos();
  private static final long WANTED_AGAIN = Duration.ofSeconds(1).toNanos();

  private record Purge(long dueNanos, String token, long below) {}

  private final int writer;
  private final LedgerPort port;
  private final Completions completions;
  private final LongSupplier ids;
  private final Deque<Purge> purges = new ArrayDeque<>();

  /** The blocks whose last record is ours, and when that came. */
  private final Map<BlockKey, Long> ours = new HashMap<>();

  /** The blocks that are to have a snapshot. */
  private final Set<BlockKey> due = new HashSet<>();

  private boolean loaded;
  private int barriers;
  private long lastBarrierNanos;
  private boolean barrierWanted;
  private long wantedNanos;

  Compaction(int writer, LedgerPort port, Completions completions, LongSupplier ids) {
    this.writer = writer;
    this.port = port;
    this.completions = completions;
    this.ids = ids;
  }

  /** A record was read. */
  void applied(Block block, RecordFormat.Written written, long nowNanos) {
    boolean own = written.writer() == writer;
    if (own && written.record() instanceof LedgerRecord.Completions) {
      ours.put(block.key(), nowNanos);
      if (block.sinceSnapshot() % MOST_RECORDS == 0) {
        due.add(block.key());
      }
    } else {
      ours.remove(block.key());
    }
    if (own && written.record() instanceof LedgerRecord.Snapshot) {
      purgeSuperfluous(block, nowNanos);
    }
  }

  private void purgeSuperfluous(Block block, long nowNanos) {
    if (block.hasSuperfluous()) {
      purges.add(new Purge(nowNanos + PURGE_DELAY, block.key().token(), block.covered() + 1));
    }
  }

  void barrierSent(long nowNanos) {
    barriers++;
    lastBarrierNanos = nowNanos;
  }

  void tick(long position, long nowNanos) {
    if (barriers >= MOST_BARRIERS || (barriers > 0 && nowNanos - lastBarrierNanos > COLD)) {
      barriers = 0;
      purges.add(new Purge(nowNanos + PURGE_DELAY, LedgerPort.BARRIER, position + 1));
    }
    // A block that gets no more is left with one record instead of many.
    ours.entrySet()
        .removeIf(
            block -> {
              boolean cold = nowNanos - block.getValue() > COLD;
              if (cold) {
                due.add(block.getKey());
              }
              return cold;
            });
  }

  /** Whether a barrier is to be sent for what there is to do; not again and again if it fails. */
  boolean wantsBarrier(long nowNanos) {
    boolean sentLately = barrierWanted && nowNanos - wantedNanos <= WANTED_AGAIN;
    if (sentLately || (due.isEmpty() && !isPurgeDue(nowNanos))) {
      return false;
    }
    barrierWanted = true;
    wantedNanos = nowNanos;
    return true;
  }

  private boolean isPurgeDue(long nowNanos) {
    return !purges.isEmpty() && nowNanos - purges.element().dueNanos >= 0;
  }

  /** All is read, and it is certain that this is the log that was read before. */
  void caughtUp(long nowNanos) {
    barrierWanted = false;
    if (!loaded) {
      // Some who wanted to purge may not have lived to.
      loaded = true;
      completions.blocks().forEach(block -> purgeSuperfluous(block, nowNanos));
    }
    while (isPurgeDue(nowNanos)) {
      Purge purge = purges.remove();
      BlockKey.parse(purge.token).ifPresent(key -> purged(key, purge.below));
      port.purge(purge.token, purge.below);
    }
    due.forEach(this::compact);
    due.clear();
  }

  private void purged(BlockKey key, long below) {
    Block block = completions.find(key);
    if (block != null) {
      block.purged(below);
    }
  }

  private void compact(BlockKey key) {
    Block block = completions.find(key);
    if (block != null && block.sinceSnapshot() > 1) {
      byte[] snapshot = RecordFormat.snapshot(writer, block.snapshot());
      port.publish(ids.getAsLong(), key.token(), snapshot);
    }
  }

  /** What is being read anew is not to be judged by what was read before. */
  void clear() {
    ours.clear();
    due.clear();
    purges.clear();
    loaded = false;
  }
}
