package dev.contrail.operations.orphans;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.jetstream.StreamMessages.Found;
import dev.contrail.operations.DeadLetters;
import dev.contrail.operations.burial.Burial;
import dev.contrail.operations.burial.Corpse;
import dev.contrail.operations.orphans.ReapPlan.Fate;
import dev.contrail.operations.replay.ReplayPlans;
import dev.contrail.operations.stranded.Quay;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanOptions;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A reaping process is killed at every step, and another one goes on. */
@Tag("slow")
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.stranded.Quay#servers")
class KilledReapTest {
  private static final int MESSAGES = 20;
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration SHORT = Duration.ofSeconds(2);

  private final NatsServerBinary binary;
  private final List<Case> cases = new ArrayList<>();

  KilledReapTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  private record Case(Fate fate, ReapFault fault, Quay quay) {
    @Override
    public String toString() {
      return fate + " killed " + fault;
    }
  }

  private Case open(Fate fate, ReapFault fault, Duration window) throws Exception {
    Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue, window);
    quay.durable("taker", -1, ReaperMain.TAKEN);
    quay.publish(ReaperMain.ORPHANS, MESSAGES);
    new Provisioning(quay.connection, Quay.OPTIONS, InitPlan.of(quay.names), Provision.CREATE)
        .ensure(List.of(Store.DEAD_LETTERS, Store.EVENTS, Store.LEASES));
    Case one = new Case(fate, fault, quay);
    cases.add(one);
    return one;
  }

  @AfterEach
  void close() {
    cases.forEach(one -> one.quay().close());
  }

  @Test
  void nothing_is_lost_and_nothing_doubled_when_the_next_one_goes_on() throws Exception {
    for (ReapFault fault :
        List.of(
            ReapFault.AFTER_FIRST_LOOK,
            ReapFault.AFTER_ONE_BURIAL,
            ReapFault.AFTER_LAST_LOOK,
            ReapFault.AFTER_ONE_DELETION)) {
      open(Fate.DEAD_LETTER, fault, LONG);
      open(Fate.DELETE, fault, LONG);
      open(Fate.HAND_OVER, fault, LONG);
    }
    open(Fate.DELETE, ReapFault.AFTER_DISCARD, LONG);
    open(Fate.HAND_OVER, ReapFault.DURING_HAND_OVER, LONG);
    open(Fate.HAND_OVER, ReapFault.AFTER_HAND_OVER, LONG);
    Case wrong = open(Fate.DEAD_LETTER, ReapFault.DELETE_FIRST, LONG);
    runUntilKilled();

    for (Case one : cases) {
      reap(one);
      assertThat(bodies(one, ReaperMain.ORPHANS)).as("orphans left, %s", one).isEmpty();
      if (!one.equals(wrong)) {
        assertAllThereOnce(one);
      }
    }
    assertThat(letters(wrong)).as("dead letters when deletion comes first").hasSizeLessThan(20);
  }

  @Test
  void after_the_duplicate_window_what_may_be_handed_over_is_left_alone_and_said()
      throws Exception {
    Case one = open(Fate.HAND_OVER, ReapFault.DURING_HAND_OVER, SHORT);
    decideWithoutPublishing(one);
    awaitWindowOver(one.quay());

    ReapReport report = reap(one);
    assertThat(report.reaped())
        .as("left alone: %s", report.lines().get(0).left())
        .isEqualTo(MESSAGES - 1);
    assertThat(report.lines().get(0).left().keySet())
        .singleElement()
        .asString()
        .contains("contrail dlq plans resume");
    assertThat(bodies(one, ReaperMain.ORPHANS)).containsExactly("message 0");
    assertThat(bodies(one, ReaperMain.TAKEN)).hasSize(MESSAGES - 1).doesNotHaveDuplicates();
  }

  /** As a reaper does that is killed before the copy of the first message is published. */
  private static void decideWithoutPublishing(Case one) {
    Quay quay = one.quay();
    ReapPlan plan = ReaperMain.plan(quay, Fate.HAND_OVER);
    Burial.Result buried =
        ReaperMain.reaper(quay)
            .port(plan)
            .bury(
                new Corpse(
                    quay.stream,
                    DeadLetterId.ORPHAN,
                    1,
                    Reason.ORPHANED,
                    0,
                    "unclaimed",
                    "nobody claims it",
                    Instant.now(),
                    Optional.empty()))
            .join();
    DeadLetterId id = ((Burial.Result.Buried) buried).id();
    String replay =
        new ReplayPlans(quay.connection, Quay.OPTIONS, quay.names, Provision.CREATE)
            .create(
                List.of(new PlanEntry(id, 0, 0)),
                "orphans",
                new PlanOptions(plan.to(), Optional.empty(), 0, false, 3),
                "ann@host")
            .plan();
    Step.Replay step =
        new Step.Replay(
            replay, quay.subject(ReaperMain.TAKEN), quay.stream, Optional.empty(), 0, id, 1);
    assertThat(
            new EventStore(quay.connection, Quay.OPTIONS, quay.names)
                .take(id, step, new EventStore.Decider("ann@host", Instant.now(), false))
                .join())
        .isInstanceOf(EventStore.Decision.Taken.class);
  }

  private static ReapReport reap(Case one) throws InterruptedException {
    return ReaperMain.reaper(one.quay())
        .reap(ReaperMain.plan(one.quay(), one.fate()), () -> false, (done, of) -> {});
  }

  private static void assertAllThereOnce(Case one) {
    assertThat(letters(one)).as("dead letters, %s", one).hasSize(MESSAGES);
    assertThat(letters(one).stream().map(it -> body(one, it)))
        .as("what they hold, %s", one)
        .containsExactlyInAnyOrderElementsOf(published());
    if (one.fate() == Fate.HAND_OVER) {
      assertThat(bodies(one, ReaperMain.TAKEN))
          .as("copies, %s", one)
          .containsExactlyInAnyOrderElementsOf(published());
      assertThat(letters(one)).as("%s", one).noneMatch(it -> status(one, it) == Status.OPEN);
      return;
    }
    Status expected = one.fate() == Fate.DELETE ? Status.DISCARDED : Status.OPEN;
    assertThat(letters(one)).as("%s", one).allMatch(it -> status(one, it) == expected);
  }

  private static List<String> published() {
    return IntStream.range(0, MESSAGES).mapToObj(i -> "message " + i).toList();
  }

  private static List<String> bodies(Case one, String end) {
    List<String> bodies = new ArrayList<>();
    Quay quay = one.quay();
    Optional<Found> next = quay.messages.next(quay.stream, quay.subject(end), 1).join();
    while (next.isPresent()) {
      bodies.add(new String(next.get().message().payload(), UTF_8));
      long after = next.get().sequence() + 1;
      next = quay.messages.next(quay.stream, quay.subject(end), after).join();
    }
    return bodies;
  }

  private static List<DeadLetterId> letters(Case one) {
    Quay quay = one.quay();
    return quay
        .server
        .subjects(quay.names.deadLetterStream(), quay.names.deadLetterSubjects())
        .keySet()
        .stream()
        .map(it -> DeadLetterId.ofSubject(quay.names.prefix(), it).orElseThrow())
        .toList();
  }

  private static String body(Case one, DeadLetterId id) {
    return new String(
        new DeadLetters(one.quay().connection, Quay.OPTIONS, one.quay().names)
            .find(id)
            .orElseThrow()
            .message()
            .payload(),
        UTF_8);
  }

  private static Status status(Case one, DeadLetterId id) {
    return new EventStore(one.quay().connection, Quay.OPTIONS, one.quay().names)
        .state(id)
        .join()
        .status();
  }

  /** Until another stream with that window takes an id that it took when this was called. */
  private static void awaitWindowOver(Quay quay) throws Exception {
    String probes = quay.stream + "-probes";
    quay.management.addStream(
        StreamConfiguration.builder().name(probes).duplicateWindow(SHORT).build());
    Headers id = new Headers().add("Nats-Msg-Id", "probe");
    quay.connection.jetStream().publish(probes, id, new byte[0]);
    await()
        .atMost(Quay.SOON)
        .until(() -> !quay.connection.jetStream().publish(probes, id, new byte[0]).isDuplicate());
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
                ReaperMain.class.getName(),
                cases.get(0).quay().url));
    cases.forEach(
        one ->
            command.addAll(
                List.of(
                    one.quay().stream,
                    one.quay().names.prefix(),
                    one.fate().name(),
                    one.fault().name())));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Set<String> reached = new HashSet<>();
    try (BufferedReader output = process.inputReader(UTF_8)) {
      String line = output.readLine();
      while (line != null) {
        reached.add(line);
        line = reached.size() < cases.size() ? output.readLine() : null;
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(reached)
        .containsExactlyInAnyOrderElementsOf(
            cases.stream().map(one -> "reached " + one.quay().stream).toList());
  }
}
