package dev.contrail.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Runs the schedules of many seeds, on several threads: each schedule on one.
 *
 * @param from the first seed
 * @param runs how many seeds, one after the other
 * @param mutant what is wrong, if anything is to be
 * @param keepGoing whether to go on after a failure; else those of lower seeds are still run
 */
public record Campaign(long from, long runs, Optional<Mutant> mutant, boolean keepGoing) {
  private static final int MOST_KEPT = 100;

  /**
   * What came of it.
   *
   * @param done how many were run
   * @param failed how many broke a promise
   * @param failures those with the lowest seeds, in order
   */
  public record Report(long done, long failed, List<SimulationResult> failures) {}

  /**
   * Runs them.
   *
   * @param progress is told how many are done, from any thread
   */
  public Report run(int threads, LongConsumer progress) throws InterruptedException {
    Work work = new Work(progress);
    List<Thread> started = new ArrayList<>();
    for (int i = 1; i < threads; i++) {
      Thread thread = new Thread(work, "contrail-sim-" + i);
      thread.setDaemon(true);
      thread.start();
      started.add(thread);
    }
    work.run();
    for (Thread thread : started) {
      thread.join();
    }
    return work.report();
  }

  private SimulationResult schedule(long seed) {
    return mutant.map(wrong -> Simulation.run(seed, wrong)).orElseGet(() -> Simulation.run(seed));
  }

  private final class Work implements Runnable {
    private final AtomicLong next = new AtomicLong(from);
    private final AtomicLong end = new AtomicLong(from + runs);
    private final AtomicLong done = new AtomicLong();
    private final List<SimulationResult> failures = new ArrayList<>();
    private final LongConsumer progress;
    private long failed;

    Work(LongConsumer progress) {
      this.progress = progress;
    }

    @Override
    public void run() {
      for (long seed = next.getAndIncrement(); seed < end.get(); seed = next.getAndIncrement()) {
        SimulationResult result = schedule(seed);
        if (result.broken().isPresent()) {
          failed(result);
        }
        progress.accept(done.incrementAndGet());
      }
    }

    private synchronized void failed(SimulationResult result) {
      failed++;
      failures.add(result);
      failures.sort(Comparator.comparingLong(SimulationResult::seed));
      if (failures.size() > MOST_KEPT) {
        failures.remove(MOST_KEPT);
      }
      if (!keepGoing) {
        end.accumulateAndGet(result.seed(), Math::min);
      }
    }

    synchronized Report report() {
      List<SimulationResult> kept =
          keepGoing ? failures : failures.subList(0, Math.min(1, failures.size()));
      return new Report(done.get(), failed, List.copyOf(kept));
    }
  }
}
