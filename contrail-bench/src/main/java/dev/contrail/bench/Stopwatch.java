package dev.contrail.bench;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Times how long a contender takes to consume a whole stream. */
final class Stopwatch {
  /** No contender takes so long for anything. */
  static final Duration LIMIT = Duration.ofMinutes(3);

  private static final long BETWEEN_LOOKS = Duration.ofMillis(1).toNanos();

  private final BenchStreams streams;

  Stopwatch(BenchStreams streams) {
    this.streams = streams;
  }

  /**
   * Consumes all of a stream's messages.
   *
   * @return messages a second, from the moment the contender was told to begin until the server's
   *     ack floor had reached the last of them
   */
  double perSecond(Racer racer, String stream, int messages, int waitMillis)
      throws InterruptedException {
    Place place = streams.consumer(stream);
    Work work = Work.counting(messages, waitMillis);
    System.gc();
    try (Connection connection = racer.connect()) {
      long started = System.nanoTime();
      try (Racer.Running running = racer.start(connection, place, work)) {
        work.await(LIMIT);
        awaitFloor(place, messages, started);
        return messages * 1e9 / (System.nanoTime() - started);
      }
    } catch (IOException | JetStreamApiException e) {
      throw new BenchException("cannot consume " + stream + ": " + e.getMessage(), e);
    } finally {
      streams.delete(place);
      racer.forget(place);
    }
  }

  /** Asks only now: the server has to work for its answer. */
  void awaitFloor(Place place, long sequence, long started) throws InterruptedException {
    long floor;
    while ((floor = streams.ackFloor(place)) < sequence) {
      if (System.nanoTime() - started > LIMIT.toNanos()) {
        throw new BenchException(
            "the server's ack floor stands at " + floor + " of " + sequence + " after " + LIMIT);
      }
      LockSupport.parkNanos(BETWEEN_LOOKS);
      if (Thread.interrupted()) {
        throw new InterruptedException("told to end");
      }
    }
  }
}
