package dev.contrail.operations.audit;

import static dev.contrail.operations.audit.AuditPlace.CONSUMER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.Provision;
import dev.contrail.operations.index.EntryFilter;
import dev.contrail.operations.replay.Candidate;
import dev.contrail.operations.replay.Decisions;
import dev.contrail.operations.replay.Draft;
import dev.contrail.operations.replay.ReplayPlans;
import dev.contrail.operations.replay.RunListener;
import dev.contrail.operations.replay.Selections;
import dev.contrail.operations.replay.StopSign;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.RetentionPolicy;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * 100,000 messages with deaths, replays, decisions and workers that are killed, audited all along.
 */
@Tag("slow")
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.audit.AuditPlace#servers")
class AuditUnderLoadTest {
  private static final String ANN = "ann@host";
  private static final int ROUNDS = 5;
  private static final int HEALTHY_PER_ROUND = 19_960;
  private static final int POISON_PER_ROUND = 40;
  private static final RunListener NO_LISTENER =
      new RunListener() {
        @Override
        public void settled(int done, int of) {}

        @Override
        public void notice(String sentence) {}
      };

  private static final PlanOptions HOW =
      new PlanOptions(Optional.empty(), Optional.empty(), 0, false, 3);

  private final NatsServerBinary binary;
  private final List<Process> workers = new ArrayList<>();

  AuditUnderLoadTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @Test
  void nothing_is_unaccounted_for_on_a_workqueue() throws Exception {
    nothingIsUnaccountedFor(RetentionPolicy.WorkQueue);
  }

  @Test
  void nothing_is_unaccounted_for_on_a_limits_stream() throws Exception {
    nothingIsUnaccountedFor(RetentionPolicy.Limits);
  }

  private void nothingIsUnaccountedFor(RetentionPolicy retention) throws Exception {
    try (AuditPlace place = AuditPlace.on(binary, retention)) {
      for (int round = 0; round < ROUNDS; round++) {
        place.publish("new", HEALTHY_PER_ROUND / 2, "order");
        place.publish("new", POISON_PER_ROUND, AuditPlace.POISON);
        startWorker(place);
        startWorker(place);
        place.publish("new", HEALTHY_PER_ROUND / 2, "order");
        assertNothingMissing(place);
        // In the midst of its work.
        workers.remove(0).destroyForcibly().waitFor();
        assertNothingMissing(place);
        workers.remove(0).destroyForcibly().waitFor();
      }
      startWorker(place);
      awaitIdle(place);
      repair(place);
      AuditReport.OfConsumer found = assertNothingMissing(place);

      assertThat(found.count(Fate.WAITING) + found.count(Fate.IN_FLIGHT)).isZero();
      assertThat(found.count(Fate.PROCESSED)).isEqualTo(ROUNDS * HEALTHY_PER_ROUND + 60L);
      assertThat(found.count(Fate.RESOLVED)).isEqualTo(60);
      assertThat(found.count(Fate.RETURNED)).isEqualTo(40);
      assertThat(found.count(Fate.DISCARDED)).isEqualTo(30);
      // Those that were left alone, and the copies that came back.
      assertThat(found.count(Fate.DEAD)).isEqualTo(ROUNDS * POISON_PER_ROUND - 130L + 40);
    } finally {
      workers.forEach(Process::destroyForcibly);
    }
  }

  private static AuditReport.OfConsumer assertNothingMissing(AuditPlace place) throws Exception {
    AuditReport.OfConsumer found = place.auditOf(CONSUMER);
    assertThat(found.gaps()).as("gaps").isEmpty();
    assertThat(found.count(Fate.ORPHANED)).as("orphaned").isZero();
    return found;
  }

  private void startWorker(AuditPlace place) throws Exception {
    Process worker =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                AuditWorkerMain.class.getName(),
                place.url,
                place.stream,
                place.names.prefix())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    workers.add(worker);
    BufferedReader output = worker.inputReader(StandardCharsets.UTF_8);
    String line = output.readLine();
    while (line != null && !line.equals("working")) {
      line = output.readLine();
    }
    assertThat(line).as("what a worker says").isEqualTo("working");
  }

  private void awaitIdle(AuditPlace place) throws Exception {
    await()
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> {
              var info = place.management.getConsumerInfo(place.stream, CONSUMER);
              return info.getNumPending() == 0 && info.getNumAckPending() == 0;
            });
    for (Process worker : workers) {
      worker.destroyForcibly().waitFor();
    }
    workers.clear();
  }

  /** 60 are replayed and processed, 40 replayed and die again, 30 discarded. */
  private static void repair(AuditPlace place) throws Exception {
    List<Candidate> all =
        new Selections(place.connection, AuditPlace.OPTIONS, place.names)
            .matching(
                EntryFilter.builder().stream(place.stream).consumer(CONSUMER).build(),
                unreadable -> {
                  throw new AssertionError(unreadable);
                });
    try (ContrailConsumer mended = place.consumer(CONSUMER).handler(delivery -> {}).start()) {
      replay(place, all.subList(0, 60), Status.RESOLVED);
    }
    try (ContrailConsumer picky = place.consumer(CONSUMER).handler(AuditPlace.picky()).start()) {
      replay(place, all.subList(60, 100), Status.RETURNED);
    }
    Decisions decisions =
        new Decisions(
            place.connection, AuditPlace.OPTIONS, place.names, Provision.CREATE, ANN, false);
    discard(decisions, all.subList(100, 130));
  }

  private static void discard(Decisions decisions, List<Candidate> some) {
    for (Candidate one : some) {
      assertThat(decisions.discard(one.summary().id(), "a test order")).isEmpty();
    }
    // What is purged stays on record.
    for (Candidate one : some.subList(0, 10)) {
      assertThat(decisions.purge(one.summary())).isEmpty();
    }
  }

  private static void replay(AuditPlace place, List<Candidate> some, Status outcome)
      throws Exception {
    ReplayPlans plans =
        new ReplayPlans(place.connection, AuditPlace.OPTIONS, place.names, Provision.CREATE);
    PlanHead head =
        plans.create(
            plans.draft(some, HOW, false).planned().stream().map(Draft.Planned::entry).toList(),
            "some",
            HOW,
            ANN);
    plans.run(head.plan(), ANN, false, new StopSign(), NO_LISTENER);
    EventStore events = new EventStore(place.connection, AuditPlace.OPTIONS, place.names);
    await()
        .atMost(AuditPlace.SOON)
        .untilAsserted(
            () -> {
              for (Candidate one : some) {
                DeadLetterId id = one.summary().id();
                assertThat(events.state(id).join().status()).isEqualTo(outcome);
              }
            });
  }
}
