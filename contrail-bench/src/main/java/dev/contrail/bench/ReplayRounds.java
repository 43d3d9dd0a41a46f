package dev.contrail.bench;

import dev.contrail.bench.report.Spread;
import dev.contrail.jetstream.Provision;
import dev.contrail.operations.replay.ReplayPlans;
import dev.contrail.operations.replay.RunListener;
import dev.contrail.operations.replay.StopSign;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.plan.PlanState;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Has a plan and a bare client publish the same messages by turns: the same payloads under headers
 * of the same size. Both are warmed up by a round that does not count, and take turns at going
 * first.
 */
final class ReplayRounds {
  static final int ROUNDS = 5;
  private static final RunListener LISTENER =
      new RunListener() {
        @Override
        public void settled(int done, int of) {}

        @Override
        public void notice(String sentence) {}
      };

  private final Connection connection;
  private final JetStreamOptions options;
  private final Burial burial;
  private final int each;
  private final List<Double> bare = new ArrayList<>();
  private final List<Double> replayed = new ArrayList<>();

  /**
   * Of so many messages.
   *
   * @param each of a round
   */
  ReplayRounds(Connection connection, JetStreamOptions options, Burial burial, int each) {
    this.connection = connection;
    this.options = options;
    this.burial = burial;
    this.each = each;
  }

  /** How many dead letters must be there, numbered from 1. */
  static int needed(int each) {
    return (1 + ROUNDS) * each;
  }

  void run() throws IOException, JetStreamApiException, InterruptedException {
    bare(1, each);
    replay(1, each);
    for (int round = 0; round < ROUNDS; round++) {
      int from = 1 + (1 + round) * each;
      if (round % 2 == 0) {
        bare.add(bare(from, each));
        replayed.add(replay(from, each));
      } else {
        replayed.add(replay(from, each));
        bare.add(bare(from, each));
      }
    }
  }

  Spread barePerSecond() {
    return Spread.of(bare);
  }

  Spread replayedPerSecond() {
    return Spread.of(replayed);
  }

  Spread ratio() {
    return Spread.ofRatios(replayed, bare);
  }

  private double bare(int from, int count) throws IOException, InterruptedException {
    var jetStream = connection.jetStream(options);
    UnderWay underWay = new UnderWay();
    long started = System.nanoTime();
    for (int number = from; number < from + count; number++) {
      underWay.add(
          jetStream.publishAsync(Burial.BARE_SUBJECT, headers(number), Burial.payload(number)));
    }
    underWay.await();
    return count / seconds(started);
  }

  /** Those of a copy, but for the name of the one that tells workers to look into it. */
  private Headers headers(int number) {
    String id = burial.id(number).toString();
    return new Headers()
        .add("Nats-Msg-Id", id + "#0")
        .add("Contrail-Copied-Of", id)
        .add("Contrail-Replay-Attempt", "1")
        .add("Contrail-Replay-For", "billing")
        .add("Contrail-Replay-Root", id)
        .add("Contrail-Replay-Count", "1");
  }

  private double replay(int from, int count)
      throws IOException, JetStreamApiException, InterruptedException {
    ReplayPlans plans = new ReplayPlans(connection, options, Burial.NAMES, Provision.CREATE);
    List<PlanEntry> entries =
        IntStream.range(from, from + count)
            .mapToObj(number -> new PlanEntry(burial.id(number), 0, 0))
            .toList();
    long before = messages();
    PlanHead head = plans.create(entries, "bench", PlanOptions.DEFAULT, "bench");
    long started = System.nanoTime();
    var result = plans.run(head.plan(), "bench", false, new StopSign(), LISTENER);
    double took = seconds(started);
    long copies = messages() - before;
    if (copies != count || result.state().kind() != PlanState.Kind.FINISHED) {
      throw new BenchException(
          copies + " were replayed, not " + count + ": " + result.state().why());
    }
    return count / took;
  }

  private long messages() throws IOException, JetStreamApiException {
    return connection
        .jetStreamManagement(options)
        .getStreamInfo(Burial.STREAM)
        .getStreamState()
        .getMsgCount();
  }

  static double seconds(long started) {
    return (System.nanoTime() - started) / (double) TimeUnit.SECONDS.toNanos(1);
  }
}
