package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.Delivery;
import dev.contrail.event.Status;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.operations.audit.AuditReport;
import dev.contrail.operations.audit.AuditRequest;
import dev.contrail.operations.audit.Audits;
import dev.contrail.operations.audit.Fate;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.plan.PlanState;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A replaying process is killed at every step of an entry, and its plan resumed at once or after
 * the duplicate window of the stream is over, while a worker processes what comes.
 */
@Tag("slow")
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.replay.Scene#servers")
class KilledReplayTest {
  private static final int ENTRIES = 20;
  private static final Duration SHORT = Duration.ofMillis(100);
  private static final Duration LONG = Duration.ofMinutes(2);

  private final NatsServerBinary binary;
  private final List<Case> cases = new ArrayList<>();

  KilledReplayTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  private record Case(ReplayFault fault, Duration window, Scene scene, PlanHead plan) {
    @Override
    public String toString() {
      return "killed " + fault + ", duplicate window " + window;
    }
  }

  private Case open(ReplayFault fault, Duration window) throws Exception {
    Scene scene = Scene.on(binary, RetentionPolicy.WorkQueue, window);
    scene.die(ENTRIES);
    Case one = new Case(fault, window, scene, scene.plan(PlanOptions.DEFAULT));
    cases.add(one);
    return one;
  }

  @AfterEach
  void close() {
    cases.forEach(one -> one.scene().close());
  }

  @Test
  void every_message_is_processed_once_and_every_entry_resolved_when_it_is_resumed()
      throws Exception {
    for (Duration window : List.of(LONG, SHORT)) {
      for (ReplayFault fault :
          List.of(
              ReplayFault.BEFORE_STEP,
              ReplayFault.AFTER_STEP,
              ReplayFault.AFTER_PUBLISH,
              ReplayFault.AFTER_PROGRESS)) {
        open(fault, window);
      }
    }
    Case wrong = open(ReplayFault.PUBLISH_FIRST_THEN_BEFORE_STEP, SHORT);
    runUntilKilled();

    for (Case one : cases) {
      resume(one);
      if (one.fault() != wrong.fault()) {
        assertAllProcessedOnce(one);
      }
    }
    assertThat(wrong.scene().runs).as("runs when the copy comes first").hasSizeGreaterThan(ENTRIES);
  }

  private static void resume(Case one) throws Exception {
    Scene scene = one.scene();
    try (ContrailConsumer worker = scene.worker()) {
      if (one.fault() == ReplayFault.PUBLISH_FIRST_THEN_BEFORE_STEP) {
        scene.awaitEmpty();
      }
      if (one.window().equals(SHORT)) {
        scene.awaitDuplicateWindowOver(SHORT);
      }
      assertThat(scene.run(one.plan()).state().kind()).isEqualTo(PlanState.Kind.FINISHED);
      assertThat(scene.awaitAll(one.plan()).tally().resolved()).as("%s", one).isEqualTo(ENTRIES);
      scene.awaitEmpty();
    }
  }

  private static void assertAllProcessedOnce(Case one) throws Exception {
    Set<String> keys = new HashSet<>();
    for (Delivery<byte[]> run : one.scene().runs) {
      assertThat(keys.add(run.idempotencyKey()))
          .as("first run of %s, %s", run.idempotencyKey(), one)
          .isTrue();
    }
    assertThat(keys).as("%s", one).hasSize(ENTRIES);
    assertThat(one.scene().all())
        .as("%s", one)
        .hasSize(ENTRIES)
        .allMatch(candidate -> candidate.state().status() == Status.RESOLVED);
    AuditReport audit =
        new Audits(one.scene().connection, JetStreamOptions.defaultOptions(), one.scene().names)
            .audit(
                new AuditRequest(one.scene().stream, List.of(), Optional.empty()),
                Instant.now(),
                (done, of) -> {});
    assertThat(audit.count(Fate.UNACCOUNTED)).as("unaccounted, %s", one).isZero();
  }

  private void runUntilKilled() throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                ReplayerMain.class.getName(),
                cases.get(0).scene().url));
    cases.forEach(
        one ->
            command.addAll(
                List.of(
                    one.scene().stream,
                    one.scene().names.prefix(),
                    one.plan().plan(),
                    one.fault().name())));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Set<String> reached = new HashSet<>();
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      String line;
      while (reached.size() < cases.size() && (line = output.readLine()) != null) {
        reached.add(line);
      }
    } finally {
      // While it is there, it counts as the one that runs the plan.
      process.destroyForcibly().waitFor();
    }
    assertThat(reached)
        .containsExactlyInAnyOrderElementsOf(
            cases.stream().flatMap(one -> Stream.of("reached " + one.plan().plan())).toList());
  }
}
