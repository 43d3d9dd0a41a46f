package dev.contrail.simulation.net;

import dev.contrail.jetstream.Surroundings;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** Passes on to others what a connection is asked as surroundings. */
public abstract class SurroundingsFace {
  private final Surroundings surroundings;

  SurroundingsFace(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  public final long nanoTime() {
    return surroundings.nanoTime();
  }

  public final Clock clock() {
    return surroundings.clock();
  }

  public final Executor background() {
    return surroundings.background();
  }

  public final Executor background(Duration delay) {
    return surroundings.background(delay);
  }

  public final void start(String thread, Runnable task) {
    surroundings.start(thread, task);
  }

  public final Surroundings.Timer timer(String thread) {
    return surroundings.timer(thread);
  }

  public final RandomGenerator random() {
    return surroundings.random();
  }
}
