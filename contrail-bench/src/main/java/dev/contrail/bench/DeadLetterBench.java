package dev.contrail.bench;

import dev.contrail.bench.report.DeadLetterReport;
import dev.contrail.bench.report.Spread;
import dev.contrail.operations.index.DeadLetterIndex;
import dev.contrail.operations.index.EntryFilter;
import dev.contrail.operations.index.NewestEntries;
import dev.contrail.operations.index.PageRequest;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Measures what it costs to find and to replay many dead letters, on a server of its own. */
public final class DeadLetterBench {
  private static final int GROUPINGS = 11;
  private static final int REOPENINGS = 3;
  private static final int NEWEST = 50;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final BenchServer server;
  private final int indexed;
  private final int replayed;

  /**
   * The bench.
   *
   * @param indexed how many dead letters the index reads
   * @param replayed how many are replayed in each round
   */
  public DeadLetterBench(BenchServer server, int indexed, int replayed) {
    this.server = server;
    this.indexed = indexed;
    this.replayed = replayed;
  }

  /** What the index costs, as it was the first time. */
  private record First(double readySeconds, double megabytes, double groupsMillis) {}

  /**
   * Measures.
   *
   * @throws BenchException when it cannot go on
   */
  public DeadLetterReport run() throws InterruptedException {
    try (Connection connection = server.connections().get()) {
      Burial burial = new Burial(connection, server.jetStream());
      burial.store(1, indexed + 1);
      First first = first();
      Spread again = again();
      long messages = connection.getStatistics().getInMsgs();
      long started = System.nanoTime();
      new NewestEntries(connection, server.jetStream(), Burial.NAMES)
          .page(EntryFilter.ALL, PageRequest.newest(NEWEST));
      double newest = ReplayRounds.seconds(started) * 1e3;
      long newestMessages = connection.getStatistics().getInMsgs() - messages;
      burial.store(indexed + 1, ReplayRounds.needed(replayed) + 1);
      ReplayRounds rounds = new ReplayRounds(connection, server.jetStream(), burial, replayed);
      rounds.run();
      return new DeadLetterReport(
          indexed,
          first.readySeconds(),
          again,
          first.megabytes(),
          first.groupsMillis(),
          newest,
          newestMessages,
          replayed,
          rounds.replayedPerSecond(),
          rounds.barePerSecond(),
          rounds.ratio());
    } catch (IOException | JetStreamApiException e) {
      throw new BenchException("dead letters cannot be measured: " + e.getMessage(), e);
    }
  }

  /** On a connection of its own, as an operator's program has one; that counts as well. */
  private First first() throws InterruptedException {
    long before = UsedHeap.bytes();
    long started = System.nanoTime();
    try (Connection connection = server.connections().get();
        DeadLetterIndex index = ready(connection)) {
      double ready = ReplayRounds.seconds(started);
      double megabytes = (UsedHeap.bytes() - before) / 1e6;
      return new First(ready, megabytes, groupsMillis(index));
    }
  }

  private Spread again() throws InterruptedException {
    List<Double> seconds = new ArrayList<>();
    for (int round = 0; round < REOPENINGS; round++) {
      long started = System.nanoTime();
      try (Connection connection = server.connections().get();
          DeadLetterIndex index = ready(connection)) {
        seconds.add(ReplayRounds.seconds(started));
      }
    }
    return Spread.of(seconds);
  }

  private DeadLetterIndex ready(Connection connection) throws InterruptedException {
    DeadLetterIndex index = DeadLetterIndex.open(connection, server.jetStream(), Burial.NAMES);
    if (!index.awaitReady(PATIENCE) || index.count(EntryFilter.ALL) != indexed) {
      index.close();
      throw new BenchException("the index did not read all dead letters");
    }
    return index;
  }

  private double groupsMillis(DeadLetterIndex index) {
    List<Double> millis = new ArrayList<>();
    for (int round = 0; round < GROUPINGS; round++) {
      long started = System.nanoTime();
      int found = index.groups(EntryFilter.ALL, Instant.now(), 12).groups().size();
      if (found != Math.min(Burial.KINDS, indexed)) {
        throw new BenchException("the index found other groups than there are");
      }
      millis.add(ReplayRounds.seconds(started) * 1e3);
    }
    return Spread.of(millis).median();
  }
}
