package dev.contrail.bench;

import dev.contrail.bench.report.Contender;
import dev.contrail.bench.report.Decimals;
import dev.contrail.bench.report.Latency;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * How long messages take from their publication to the handler, at a rate that all can keep up
 * with, in turns.
 */
final class LatencyRounds {
  private static final int PAYLOAD = 256;
  private static final int DIGITS = 3;
  private static final long LEAD_IN = Duration.ofMillis(500).toNanos();

  private final BenchPlan plan;
  private final BenchStreams streams;
  private final Map<Contender, Racer> racers;
  private final Connection publisher;
  private final Steps steps;
  private int turns;

  /**
   * @param publisher a connection of its own
   */
  LatencyRounds(
      BenchPlan plan,
      BenchStreams streams,
      Map<Contender, Racer> racers,
      Connection publisher,
      Steps steps) {
    this.plan = plan;
    this.streams = streams;
    this.racers = racers;
    this.publisher = publisher;
    this.steps = steps;
  }

  Latency run() throws InterruptedException {
    BenchPlan.LatencyPlan latency = plan.latency();
    int perTurn =
        (int)
            Math.min(plan.mostMessages(), latency.perSecond() * latency.slice().toMillis() / 1000);
    Map<Contender, Histogram> all = new EnumMap<>(Contender.class);
    for (int slice = 1; slice <= latency.slices(); slice++) {
      for (Map.Entry<Contender, Racer> one : racers.entrySet()) {
        Histogram nanos = all.computeIfAbsent(one.getKey(), c -> new ConcurrentHistogram(DIGITS));
        steps.begin(
            "latency, turn " + slice + " of " + latency.slices() + ": " + one.getKey().shown());
        turn(one.getValue(), perTurn, nanos);
      }
      steps.found(line(latency, slice, all));
    }
    Latency.Percentiles bare = percentiles(histogram(all, Contender.BARE));
    List<Latency.Entry> entries = new ArrayList<>();
    all.forEach(
        (one, nanos) -> {
          Latency.Percentiles millis = percentiles(nanos);
          entries.add(
              new Latency.Entry(
                  one.id(), one.title(), nanos.getTotalCount(), millis, millis.less(bare)));
        });
    double seconds = (double) perTurn * latency.slices() / latency.perSecond();
    return new Latency(latency.perSecond(), Decimals.round(seconds, 1), entries);
  }

  private void turn(Racer racer, int messages, Histogram nanos) throws InterruptedException {
    String stream = streams.empty("LATENCY_" + ++turns);
    int perSecond = plan.latency().perSecond();
    int leadIn = (int) Math.min(messages, perSecond * LEAD_IN / 1_000_000_000L);
    Work work =
        new Work(
            leadIn + messages,
            0,
            payload -> {
              ByteBuffer sent = ByteBuffer.wrap(payload);
              if (sent.getInt() >= leadIn) {
                nanos.recordValue(Math.max(0, System.nanoTime() - sent.getLong()));
              }
            });
    System.gc();
    try (Turn turn = Turn.at(stream, streams, racer);
        Connection connection = racer.connect();
        Racer.Running running = racer.start(connection, turn.place(), work)) {
      publish(streams.subject(stream), leadIn + messages, perSecond);
      work.await(Stopwatch.PATIENCE);
    } catch (IOException | JetStreamApiException e) {
      throw new BenchException("cannot consume " + stream + ": " + e.getMessage(), e);
    } finally {
      streams.delete(stream);
    }
  }

  /** Each at its time, whatever became of those before it. */
  private void publish(String subject, int messages, int perSecond) throws InterruptedException {
    long started = System.nanoTime();
    for (int i = 0; i < messages; i++) {
      long due = started + i * 1_000_000_000L / perSecond;
      long now;
      while ((now = System.nanoTime()) < due) {
        LockSupport.parkNanos(due - now);
        if (Thread.interrupted()) {
          throw new InterruptedException("told to end");
        }
      }
      byte[] payload = new byte[PAYLOAD];
      // When it was due, or a publisher that is held up would hide what that did to the others.
      ByteBuffer.wrap(payload).putInt(i).putLong(due);
      publisher.publish(subject, payload);
    }
  }

  private static String line(
      BenchPlan.LatencyPlan latency, int slice, Map<Contender, Histogram> all) {
    StringBuilder line = new StringBuilder();
    line.append("latency at ").append(latency.perSecond()).append("/s, turn ").append(slice);
    line.append(" of ").append(latency.slices()).append(", p99:");
    all.forEach(
        (one, nanos) ->
            line.append(
                String.format(Locale.ROOT, "  (%s) %.2f ms", one.id(), percentiles(nanos).p99())));
    return line.toString();
  }

  private static Histogram histogram(Map<Contender, Histogram> all, Contender one) {
    Histogram found = all.get(one);
    if (found == null) {
      throw new IllegalStateException(one + " does not take part");
    }
    return found;
  }

  private static Latency.Percentiles percentiles(Histogram nanos) {
    return new Latency.Percentiles(
        millis(nanos.getValueAtPercentile(50)),
        millis(nanos.getValueAtPercentile(99)),
        millis(nanos.getValueAtPercentile(99.9)));
  }

  private static double millis(long nanos) {
    return Decimals.round(nanos / 1e6, 3);
  }
}
