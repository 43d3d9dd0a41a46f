package dev.contrail.bench;

import dev.contrail.bench.report.Heap;
import dev.contrail.bench.report.Spread;
import dev.contrail.bench.report.Start;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Many messages with the JetStream ledger: how long the next worker takes to start, and what is
 * kept in memory at the end.
 */
final class LongRun {
  private static final int PAYLOAD = 64;

  /** What it found. */
  record Result(Start start, Heap heap) {}

  private final BenchPlan.LongRunPlan plan;
  private final BenchStreams streams;
  private final Racer racer;
  private final Steps steps;
  private final Stopwatch stopwatch;

  LongRun(BenchPlan.LongRunPlan plan, BenchStreams streams, Racer racer, Steps steps) {
    this.plan = plan;
    this.streams = streams;
    this.racer = racer;
    this.steps = steps;
    this.stopwatch = new Stopwatch(streams);
  }

  Result run() throws InterruptedException {
    String stream = streams.empty("LONG");
    try (Turn turn = Turn.at(stream, streams, racer)) {
      Place place = turn.place();
      long done = plan.completions();
      streams.append(stream, new byte[PAYLOAD], plan.completions());
      steps.begin(String.format(Locale.ROOT, "%,d messages for a start", done));
      work(place, Work.counting(done, 0), done, () -> {});
      List<Double> millis = new ArrayList<>();
      for (int i = 0; i < plan.starts(); i++) {
        steps.begin("start " + (i + 1) + " of " + plan.starts());
        streams.append(stream, new byte[PAYLOAD], 1);
        millis.add(millisToFirst(place, ++done));
      }
      Start start = new Start(plan.completions(), Spread.of(millis).rounded(1));
      steps.found(
          String.format(
              Locale.ROOT,
              "start with %,d completions behind: %.0f ms to the first message",
              start.completions(),
              start.millis().median()));
      steps.begin(String.format(Locale.ROOT, "heap after %,d messages", plan.messages()));
      streams.append(stream, new byte[PAYLOAD], plan.messages());
      Heap heap = heap(place, done);
      steps.found(
          String.format(
              Locale.ROOT,
              "heap after %,d messages: %.1f MB, before them %.1f MB",
              heap.messages(),
              heap.afterBytes() / 1e6,
              heap.beforeBytes() / 1e6));
      return new Result(start, heap);
    } finally {
      streams.delete(stream);
    }
  }

  private double millisToFirst(Place place, long last) throws InterruptedException {
    AtomicLong called = new AtomicLong();
    long started =
        work(
            place,
            new Work(1, 0, payload -> called.compareAndSet(0, System.nanoTime())),
            last,
            () -> {});
    return (called.get() - started) / 1e6;
  }

  private Heap heap(Place place, long done) throws InterruptedException {
    long before = UsedHeap.bytes();
    AtomicLong after = new AtomicLong();
    work(
        place,
        Work.counting(plan.messages(), 0),
        done + plan.messages(),
        () -> after.set(UsedHeap.bytes()));
    return new Heap(plan.messages(), before, after.get());
  }

  /**
   * Has a worker of its own handle what there is.
   *
   * @param last the sequence of the last message
   * @param atRest is run when all is acknowledged and the worker is still there
   * @return when it was told to start
   */
  private long work(Place place, Work work, long last, Runnable atRest)
      throws InterruptedException {
    try (Connection connection = racer.connect()) {
      long started = System.nanoTime();
      try (Racer.Running running = racer.start(connection, place, work)) {
        work.await(Stopwatch.PATIENCE);
        stopwatch.awaitFloor(place, last);
        atRest.run();
        return started;
      }
    } catch (IOException | JetStreamApiException e) {
      throw new BenchException("cannot consume " + place.stream() + ": " + e.getMessage(), e);
    }
  }
}
