package dev.contrail.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.Headers;
import dev.contrail.bench.report.DeadLetterReport;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Death;
import dev.contrail.evidence.Incarnation;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.evidence.Reason;
import dev.contrail.failure.Failure;
import dev.contrail.jetstream.DeadLetterArchive;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.index.DeadLetterIndex;
import dev.contrail.operations.index.EntryFilter;
import dev.contrail.operations.index.NewestEntries;
import dev.contrail.operations.index.PageRequest;
import dev.contrail.operations.replay.Candidate;
import dev.contrail.operations.replay.Draft;
import dev.contrail.operations.replay.ReplayPlans;
import dev.contrail.operations.replay.RunListener;
import dev.contrail.operations.replay.Selections;
import dev.contrail.operations.replay.StopSign;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Measures what it costs to find and to replay many dead letters, on a server of its own. */
public final class DeadLetterBench {
  private static final Names NAMES = new Names("contrail_bench");
  private static final String STREAM = "CONTRAIL_BENCH_ORDERS";
  private static final String SUBJECT = "contrail_bench_orders.new";
  private static final int KINDS = 20;
  private static final int ROUNDS = 11;
  private static final int UNDER_WAY = 1_000;
  private static final int NEWEST = 50;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final RunListener LISTENER =
      new RunListener() {
        @Override
        public void settled(int done, int of) {}

        @Override
        public void notice(String sentence) {}
      };

  private final BenchServer server;
  private final int indexed;
  private final int replayed;

  /**
   * The bench.
   *
   * @param indexed how many dead letters there are
   * @param replayed how many of them are replayed
   */
  public DeadLetterBench(BenchServer server, int indexed, int replayed) {
    this.server = server;
    this.indexed = indexed;
    this.replayed = replayed;
  }

  /**
   * Measures.
   *
   * @throws BenchException when it cannot go on
   */
  public DeadLetterReport run() throws InterruptedException {
    try (Connection connection = server.connections().get()) {
      String incarnation = prepared(connection);
      bury(connection, incarnation);
      long before = UsedHeap.bytes();
      long started = System.nanoTime();
      double ready;
      double megabytes;
      double groups;
      try (DeadLetterIndex index = DeadLetterIndex.open(connection, server.jetStream(), NAMES)) {
        if (!index.awaitReady(PATIENCE) || index.count(EntryFilter.ALL) != indexed) {
          throw new BenchException("the index did not read all dead letters");
        }
        ready = seconds(started);
        megabytes = (UsedHeap.bytes() - before) / 1e6;
        groups = groupsMillis(index);
      }
      long messages = connection.getStatistics().getInMsgs();
      started = System.nanoTime();
      new NewestEntries(connection, server.jetStream(), NAMES)
          .page(EntryFilter.ALL, PageRequest.newest(NEWEST));
      double newest = seconds(started) * 1e3;
      long newestMessages = connection.getStatistics().getInMsgs() - messages;
      double bare = bare(connection);
      double plan = replay(connection);
      return new DeadLetterReport(
          indexed, ready, megabytes, groups, newest, newestMessages, replayed, plan, bare);
    } catch (IOException | JetStreamApiException e) {
      throw new BenchException("dead letters cannot be measured: " + e.getMessage(), e);
    }
  }

  private String prepared(Connection connection) throws IOException, JetStreamApiException {
    new Provisioning(connection, server.jetStream(), InitPlan.of(NAMES), Provision.CREATE)
        .ensure(List.of(Store.DEAD_LETTERS, Store.EVENTS, Store.LEASES));
    var info =
        connection
            .jetStreamManagement(server.jetStream())
            .addStream(
                StreamConfiguration.builder().name(STREAM).subjects(SUBJECT, "bare").build());
    return Incarnation.of(info.getCreateTime().toInstant());
  }

  private void bury(Connection connection, String incarnation) {
    DeadLetterArchive archive = new DeadLetterArchive(connection, server.jetStream(), NAMES);
    Failure like = Failure.of(new IllegalStateException("no such customer"));
    List<CompletableFuture<?>> underWay = new ArrayList<>();
    Instant now = Instant.now();
    for (int i = 1; i <= indexed; i++) {
      Failure failure =
          new Failure(
              like.exceptionClass(),
              like.message() + ": order " + i + " of customer " + (i % 1_000),
              like.rootCauseClass(),
              like.stackTrace(),
              String.format(Locale.ROOT, "%012x", i % KINDS));
      underWay.add(
          archive.store(
              new DeadLetter(
                  new DeadLetterId(STREAM, "billing", incarnation, i),
                  OriginalMessage.of(SUBJECT, now, Headers.none(), payload(i)),
                  new Death(
                      Reason.REJECTED,
                      now.minusSeconds(indexed - i),
                      1,
                      failure,
                      new Death.Witness("1@bench", Optional.of("1." + i % 3))))));
      if (underWay.size() == UNDER_WAY) {
        CompletableFuture.allOf(underWay.toArray(CompletableFuture<?>[]::new)).join();
        underWay.clear();
      }
    }
    CompletableFuture.allOf(underWay.toArray(CompletableFuture<?>[]::new)).join();
  }

  private static byte[] payload(int number) {
    return ("{\"order\":" + number + ",\"note\":\"" + "x".repeat(200) + "\"}").getBytes(UTF_8);
  }

  private static double groupsMillis(DeadLetterIndex index) {
    double[] millis = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      long started = System.nanoTime();
      if (index.groups(EntryFilter.ALL, Instant.now(), 12).groups().size() != KINDS) {
        throw new BenchException("the index found other groups than there are");
      }
      millis[round] = seconds(started) * 1e3;
    }
    Arrays.sort(millis);
    return millis[ROUNDS / 2];
  }

  private double bare(Connection connection) throws IOException {
    var jetStream = connection.jetStream(server.jetStream());
    List<CompletableFuture<?>> underWay = new ArrayList<>();
    long started = System.nanoTime();
    for (int i = 1; i <= replayed; i++) {
      underWay.add(jetStream.publishAsync("bare", payload(i)));
      if (underWay.size() == UNDER_WAY) {
        CompletableFuture.allOf(underWay.toArray(CompletableFuture<?>[]::new)).join();
        underWay.clear();
      }
    }
    CompletableFuture.allOf(underWay.toArray(CompletableFuture<?>[]::new)).join();
    return replayed / seconds(started);
  }

  private double replay(Connection connection)
      throws IOException, JetStreamApiException, InterruptedException {
    ReplayPlans plans = new ReplayPlans(connection, server.jetStream(), NAMES, Provision.CREATE);
    List<Candidate> candidates =
        new Selections(connection, server.jetStream(), NAMES)
            .matching(EntryFilter.ALL, unreadable -> {})
            .subList(0, replayed);
    List<Draft.Planned> planned = plans.draft(candidates, PlanOptions.DEFAULT, false).planned();
    if (planned.size() != replayed) {
      throw new BenchException(planned.size() + " can be replayed, not " + replayed);
    }
    PlanHead head =
        plans.create(
            planned.stream().map(Draft.Planned::entry).toList(),
            "bench",
            PlanOptions.DEFAULT,
            "bench");
    long started = System.nanoTime();
    plans.run(head.plan(), "bench", false, new StopSign(), LISTENER);
    double took = seconds(started);
    long copies =
        connection
                .jetStreamManagement(server.jetStream())
                .getStreamInfo(STREAM)
                .getStreamState()
                .getMsgCount()
            - replayed;
    if (copies != replayed) {
      throw new BenchException(copies + " were replayed, not " + replayed);
    }
    return replayed / took;
  }

  private static double seconds(long started) {
    return (System.nanoTime() - started) / (double) TimeUnit.SECONDS.toNanos(1);
  }
}
