package dev.contrail.bench;

import dev.contrail.bench.report.Decimals;
import dev.contrail.bench.report.LedgerSize;
import dev.contrail.bench.report.Spread;
import dev.contrail.ledger.LedgerEntry;
import dev.contrail.ledger.log.LedgerLog;
import dev.contrail.ledger.log.LedgerTimes;
import dev.contrail.ledger.log.LookUp;
import dev.contrail.ledger.log.Recording;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;

/** How memory, stream and look-up time of the JetStream ledger grow; needs no server. */
final class LedgerGrowth {
  private static final int PER_RECORD = 500;
  private static final int HOLES_PER_THOUSAND = 10;
  private static final int PER_LOOK_UP = 2_048;
  private static final int LOOK_UPS = 100;
  private static final int WARM_UPS = 3;
  private static final int PASSES = 7;

  /** Messages far apart have more publish times to be kept than those that come in bursts. */
  private static final int PER_MILLISECOND = 1;

  private static final long TICK = Duration.ofMillis(100).toNanos();
  private static final long REST = Duration.ofMinutes(2).toNanos();

  private record Message(long sequence, long publishedMillis) implements LedgerEntry {
    Message(long sequence) {
      this(sequence, sequence / PER_MILLISECOND);
    }
  }

  private record Batch(List<Message> messages) implements Recording, LookUp {
    @Override
    public void done() {
      // Whether it was recorded is seen when it is looked up.
    }

    @Override
    public void answer(BitSet completed) {
      if (completed.isEmpty()) {
        throw new IllegalStateException("the ledger knows none of " + messages.size());
      }
    }

    @Override
    public void fail(Throwable cause) {
      throw new IllegalStateException(cause);
    }
  }

  private final SplittableRandom random = new SplittableRandom(1);

  LedgerSize of(int completions) throws InterruptedException {
    LoopbackLog port = new LoopbackLog();
    LedgerLog log = new LedgerLog(1, LedgerTimes.DEFAULT, port);
    log.start(port.nowNanos());
    long last = record(log, port, completions);
    for (long passed = 0; passed < REST; passed += TICK) {
      port.pass(log, TICK);
    }
    long bytes = port.bytes();
    long records = port.records();
    double nanos = lookUp(log, port, last);
    long with = UsedHeap.bytes();
    // Keeps it reachable until its memory was measured.
    log.close();
    log = new LedgerLog(1, LedgerTimes.DEFAULT, port);
    long without = UsedHeap.bytes();
    log.close();
    return new LedgerSize(
        completions, Math.max(0, with - without), bytes, records, Decimals.round(nanos, 1));
  }

  /** Returns the last sequence. */
  private long record(LedgerLog log, LoopbackLog port, int completions)
      throws InterruptedException {
    long sequence = 0;
    int recorded = 0;
    while (recorded < completions) {
      List<Message> messages = new ArrayList<>(PER_RECORD);
      while (messages.size() < PER_RECORD && recorded < completions) {
        sequence++;
        if (random.nextInt(1_000) >= HOLES_PER_THOUSAND) {
          messages.add(new Message(sequence));
          recorded++;
        }
      }
      log.record(new Batch(messages), port.nowNanos());
      port.settle(log);
      if (Thread.interrupted()) {
        throw new InterruptedException("told to end");
      }
    }
    return sequence;
  }

  /** Returns nanoseconds for one message. */
  private double lookUp(LedgerLog log, LoopbackLog port, long last) {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < LOOK_UPS; i++) {
      List<Message> messages = new ArrayList<>(PER_LOOK_UP);
      for (int j = 0; j < PER_LOOK_UP; j++) {
        messages.add(new Message(1 + random.nextLong(last)));
      }
      batches.add(new Batch(messages));
    }
    List<Double> nanos = new ArrayList<>();
    for (int pass = 0; pass < WARM_UPS + PASSES; pass++) {
      long started = System.nanoTime();
      for (Batch batch : batches) {
        log.lookUp(batch, port.nowNanos());
        port.settle(log);
      }
      if (pass >= WARM_UPS) {
        nanos.add((System.nanoTime() - started) / (double) (LOOK_UPS * PER_LOOK_UP));
      }
    }
    return Spread.of(nanos).median();
  }
}
