package dev.contrail.simulation.net;

import dev.contrail.jetstream.Surroundings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** The clocks and threads of a process that is made up. */
final class ProcessSurroundings implements Surroundings {
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final long LONGEST_WAIT_FOR_A_THREAD = 300_000;

  private final SimulatedProcess process;

  ProcessSurroundings(SimulatedProcess process) {
    this.process = process;
  }

  @Override
  public long nanoTime() {
    return process.time().now();
  }

  @Override
  public Clock clock() {
    return new WallClock(process);
  }

  @Override
  public Executor background() {
    return task -> soon(0, task);
  }

  @Override
  public Executor background(Duration delay) {
    return task -> soon(delay.toNanos(), task);
  }

  @Override
  public void start(String thread, Runnable task) {
    soon(0, task);
  }

  private void soon(long nanos, Runnable task) {
    process.in(nanos + process.random().nextLong(LONGEST_WAIT_FOR_A_THREAD), task);
  }

  @Override
  public Timer timer(String thread) {
    return new ProcessTimer();
  }

  @Override
  public RandomGenerator random() {
    return process.random().split();
  }

  private final class ProcessTimer implements Timer {
    private boolean closed;

    @Override
    public void in(Duration delay, Runnable task) {
      soon(
          delay.toNanos(),
          () -> {
            if (!closed) {
              task.run();
            }
          });
    }

    @Override
    public void every(Duration pause, Runnable task) {
      in(
          pause,
          () -> {
            task.run();
            every(pause, task);
          });
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private static final class WallClock extends Clock {
    private final SimulatedProcess process;

    WallClock(SimulatedProcess process) {
      this.process = process;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException("nobody wants another zone");
    }

    @Override
    public Instant instant() {
      long nanos = process.wallNanos();
      return Instant.ofEpochSecond(nanos / NANOS_PER_SECOND, nanos % NANOS_PER_SECOND);
    }

    @Override
    public long millis() {
      return process.wallNanos() / 1_000_000;
    }
  }
}
