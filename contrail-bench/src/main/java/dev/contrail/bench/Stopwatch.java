package dev.contrail.bench;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Times how long a contender takes to consume a whole stream. */
final class Stopwatch {
  /** For so long no contender does nothing. */
  static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final long BETWEEN_LOOKS = Duration.ofMillis(1).toNanos();

  private final BenchStreams streams;

  Stopwatch(BenchStreams streams) {
    this.streams = streams;
  }

  /**
   * Consumes all of a stream's messages.
   *
   * @return messages a second, from the moment a tenth of them was handled until the server's ack
   *     floor had reached the last
   */
  double perSecond(Racer racer, String stream, int messages, int waitMillis)
      throws InterruptedException {
    Work work = Work.counting(messages, waitMillis);
    System.gc();
    try (Turn turn = Turn.at(stream, streams, racer);
        Connection connection = racer.connect();
        Racer.Running running = racer.start(connection, turn.place(), work)) {
      work.await(PATIENCE);
      awaitFloor(turn.place(), messages);
      return work.perSecond(System.nanoTime());
    } catch (IOException | JetStreamApiException e) {
      throw new BenchException("cannot consume " + stream + ": " + e.getMessage(), e);
    }
  }

  /** Asks only now: the server has to work for its answer. */
  void awaitFloor(Place place, long sequence) throws InterruptedException {
    long started = System.nanoTime();
    long floor;
    while ((floor = streams.ackFloor(place)) < sequence) {
      if (System.nanoTime() - started > PATIENCE.toNanos()) {
        throw new BenchException(
            "the server's ack floor stands at " + floor + " of " + sequence + " for " + PATIENCE);
      }
      LockSupport.parkNanos(BETWEEN_LOOKS);
      if (Thread.interrupted()) {
        throw new InterruptedException("told to end");
      }
    }
  }
}
