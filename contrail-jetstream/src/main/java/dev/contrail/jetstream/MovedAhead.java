package dev.contrail.jetstream;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** Those of the JVM, with another wall clock. */
record MovedAhead(Clock clock) implements Surroundings {
  @Override
  public long nanoTime() {
    return JvmSurroundings.JVM.nanoTime();
  }

  @Override
  public Executor background() {
    return JvmSurroundings.JVM.background();
  }

  @Override
  public Executor background(Duration delay) {
    return JvmSurroundings.JVM.background(delay);
  }

  @Override
  public void start(String thread, Runnable task) {
    JvmSurroundings.JVM.start(thread, task);
  }

  @Override
  public Timer timer(String thread) {
    return JvmSurroundings.JVM.timer(thread);
  }

  @Override
  public RandomGenerator random() {
    return JvmSurroundings.JVM.random();
  }
}
