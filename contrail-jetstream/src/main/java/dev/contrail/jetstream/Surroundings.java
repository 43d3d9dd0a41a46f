package dev.contrail.jetstream;

import io.nats.client.Connection;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * The clocks, threads and random numbers that Contrail's steps use: those of the JVM, unless the
 * connection brings others by being one of these too, as in a simulation, where all of them are
 * made up. For Contrail's own modules.
 */
public interface Surroundings {
  /** Those of the JVM. */
  static Surroundings jvm() {
    return JvmSurroundings.JVM;
  }

  /** Those that the connection brings, else those of the JVM. */
  static Surroundings of(Connection connection) {
    return connection instanceof Surroundings own ? own : JvmSurroundings.JVM;
  }

  /** The monotonic clock. */
  long nanoTime();

  /** The wall clock. */
  Clock clock();

  /** Runs what takes too long for the thread that wants it done. */
  Executor background();

  /** The same after a while. */
  Executor background(Duration delay);

  /** Runs it on a thread of its own, for it waits for the server. */
  void start(String thread, Runnable task);

  /** A thread for what is done later, or again and again. */
  Timer timer(String thread);

  /** A source of random numbers that no other process shares. */
  RandomGenerator random();

  /** Does its tasks one after the other. What is asked of it after it was closed is not done. */
  interface Timer extends AutoCloseable {
    void in(Duration delay, Runnable task);

    /** With that pause in between; the task must not fail. */
    void every(Duration pause, Runnable task);

    @Override
    void close();
  }
}
