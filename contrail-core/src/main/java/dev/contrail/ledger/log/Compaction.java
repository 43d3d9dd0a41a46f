package dev.contrail.ledger.log;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Keeps the log short: a block that got many records gets a snapshot of what they add up to, and
 * once that is confirmed, and everybody who is still reading has had time to meet it, they are
 * purged. Killed anywhere in between, nothing is missing, and the next one to read the log finds
 * what is left to purge. Whoever wrote the record that was one too many sees to it, so that workers
 * do not do it all at once; if two do, nothing is lost either.
 */
final class Compaction {
  /** More than {@link LedgerLog#LONGEST_BARRIER} by far, for clocks do not all run alike. */
  static final long PURGE_DELAY = Duration.ofSeconds(30).toNanos();

  static final int MOST_RECORDS = 64;
  private static final int MOST_BARRIERS = 1_000;
  private static final long COLD = Duration.ofSeconds(10).toNanos();

  private record Covered(BlockKey key, long place) {}

  private record Purge(long dueNanos, String token, long below) {}

  private final int writer;
  private final LedgerPort port;
  private final Completions completions;
  private final LongSupplier ids;
  private final Map<Long, Covered> snapshots = new HashMap<>();
  private final Deque<Purge> purges = new ArrayDeque<>();

  /** The blocks whose last record is ours, and when that came. */
  private final Map<BlockKey, Long> ours = new HashMap<>();

  private int barriers;
  private long lastBarrierNanos;

  Compaction(int writer, LedgerPort port, Completions completions, LongSupplier ids) {
    this.writer = writer;
    this.port = port;
    this.completions = completions;
    this.ids = ids;
  }

  /** A record was read. */
  void applied(Block block, RecordFormat.Written written, long nowNanos) {
    if (written.writer() != writer || written.record() instanceof LedgerRecord.Snapshot) {
      ours.remove(block.key());
      return;
    }
    ours.put(block.key(), nowNanos);
    if (block.sinceSnapshot() > 0 && block.sinceSnapshot() % MOST_RECORDS == 0) {
      append(block);
    }
  }

  /** All that was there at the start is read: some who wanted to purge may not have lived to. */
  void loaded(long nowNanos) {
    for (Block block : completions.blocks()) {
      if (block.hasSuperfluous()) {
        purges.add(new Purge(nowNanos + PURGE_DELAY, block.key().token(), block.covered() + 1));
      }
    }
  }

  void barrierSent(long position, long nowNanos) {
    lastBarrierNanos = nowNanos;
    if (++barriers >= MOST_BARRIERS) {
      purgeBarriers(position, nowNanos);
    }
  }

  /** A snapshot is stored, if that was one. */
  void published(long id, long nowNanos) {
    Covered covered = snapshots.remove(id);
    if (covered != null) {
      purges.add(new Purge(nowNanos + PURGE_DELAY, covered.key.token(), covered.place + 1));
    }
  }

  /** It may be stored or not; nothing is purged on the strength of it. */
  void publishFailed(long id) {
    snapshots.remove(id);
  }

  void tick(long position, long nowNanos) {
    while (!purges.isEmpty() && nowNanos - purges.element().dueNanos >= 0) {
      Purge due = purges.remove();
      BlockKey.parse(due.token).ifPresent(key -> completions.block(key).purged(due.below));
      port.purge(due.token, due.below);
    }
    if (barriers > 0 && nowNanos - lastBarrierNanos > COLD) {
      purgeBarriers(position, nowNanos);
    }
    compactCold(nowNanos);
  }

  /** What is being read anew is not to be judged by what was read before. */
  void clear() {
    ours.clear();
  }

  /** A block that gets no more is left with one record instead of many. */
  private void compactCold(long nowNanos) {
    List<BlockKey> cold = new ArrayList<>();
    ours.forEach(
        (key, sinceNanos) -> {
          if (nowNanos - sinceNanos > COLD) {
            cold.add(key);
          }
        });
    for (BlockKey key : cold) {
      ours.remove(key);
      Block block = completions.block(key);
      if (block.sinceSnapshot() > 1) {
        append(block);
      }
    }
  }

  private void append(Block block) {
    LedgerRecord.Snapshot snapshot = block.snapshot();
    long id = ids.getAsLong();
    snapshots.put(id, new Covered(block.key(), snapshot.covers()));
    port.publish(id, block.key().token(), RecordFormat.snapshot(writer, snapshot, block.key()));
  }

  private void purgeBarriers(long position, long nowNanos) {
    barriers = 0;
    purges.add(new Purge(nowNanos + PURGE_DELAY, LedgerPort.BARRIER, position + 1));
  }
}
