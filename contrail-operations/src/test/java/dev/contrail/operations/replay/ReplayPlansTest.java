package dev.contrail.operations.replay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.Delivery;
import dev.contrail.RejectedMessageException;
import dev.contrail.event.EntryState;
import dev.contrail.event.EventAddress;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.CopyPublisher;
import dev.contrail.jetstream.Provision;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.plan.PlanState;
import dev.contrail.plan.Rate;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Plans that are carried out to the end, or not, on real servers with real workers. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.replay.Scene#servers")
class ReplayPlansTest {
  private final NatsServerBinary binary;

  @SuppressWarnings("NullAway.Init") // every test opens it first
  private Scene scene;

  ReplayPlansTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  private void open(RetentionPolicy retention) throws Exception {
    scene = Scene.on(binary, retention);
  }

  @AfterEach
  void close() {
    scene.close();
  }

  private static PlanOptions options(
      Optional<String> to, Optional<Rate> rate, int canary, boolean stop, int most) {
    return new PlanOptions(to, rate, canary, stop, most);
  }

  @Test
  void a_group_is_replayed_and_every_entry_resolved() throws Exception {
    open(RetentionPolicy.WorkQueue);
    List<DeadLetterId> ids = scene.die(300);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    assertThat(plan.entries()).isEqualTo(300);
    try (ContrailConsumer worker = scene.worker()) {
      assertThat(scene.run(plan).state().kind()).isEqualTo(PlanState.Kind.FINISHED);
      assertThat(scene.awaitAll(plan).tally()).isEqualTo(new Tally(0, 0, 0, 300, 0, 0, 0, 0));
    }
    assertThat(scene.runs)
        .extracting(Delivery::idempotencyKey)
        .containsExactlyInAnyOrderElementsOf(
            ids.stream()
                .map(id -> id.stream() + "." + id.incarnation() + "." + id.sequence())
                .toList());
    assertThat(scene.all()).allMatch(it -> it.state().status() == Status.RESOLVED);
    assertThat(scene.listed())
        .singleElement()
        .satisfies(
            summary -> {
              assertThat(summary.settled()).isEqualTo(300);
              assertThat(summary.state().kind()).isEqualTo(PlanState.Kind.FINISHED);
            });
  }

  @Test
  void payload_and_headers_are_those_of_the_original_byte_for_byte() throws Exception {
    open(RetentionPolicy.WorkQueue);
    byte[] large = new byte[700_000];
    large[0] = -1;
    new CopyPublisher(scene.connection, JetStreamOptions.defaultOptions())
        .publish(
            scene.subject(),
            "NATS/1.0\r\nX-B:  José \r\nX-A: 1\r\nNats-Msg-Id: order-1\r\nX-B: 2\r\n\r\n"
                .getBytes(ISO_8859_1),
            large)
        .join();
    scene.connection.jetStream().publish(scene.subject(), new byte[0]);
    scene.rejectAll(2);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    scene.run(plan);

    // They may have died in either order.
    String copyOfFirst = storedBlock(3).contains("X-A") ? storedBlock(3) : storedBlock(4);
    assertThat(copyOfFirst)
        .endsWith("\r\nX-B:  José \r\nX-A: 1\r\nX-B: 2\r\n\r\n")
        .doesNotContain("order-1");
    try (ContrailConsumer worker = scene.worker()) {
      scene.awaitAll(plan);
    }
    Delivery<byte[]> first =
        scene.runs.stream().filter(run -> run.data().length > 0).findFirst().orElseThrow();
    assertThat(first.data()).isEqualTo(large);
    assertThat(first.headers().all("X-B")).containsExactly("José", "2");
    assertThat(scene.runs).anyMatch(run -> run.data().length == 0);
  }

  /** The header block of a message as the stream holds it. */
  private String storedBlock(long sequence) throws Exception {
    Message answer =
        scene.connection.request(
            "$JS.API.STREAM.MSG.GET." + scene.stream,
            ("{\"seq\":" + sequence + "}").getBytes(UTF_8),
            Scene.SOON);
    Matcher headers =
        Pattern.compile("\"hdrs\": ?\"([^\"]*)\"").matcher(new String(answer.getData(), UTF_8));
    assertThat(headers.find()).as("headers of message %s", sequence).isTrue();
    return new String(Base64.getDecoder().decode(headers.group(1)), ISO_8859_1);
  }

  private List<MessageInfo> stored() throws Exception {
    List<MessageInfo> all = new ArrayList<>();
    var state = scene.management.getStreamInfo(scene.stream).getStreamState();
    for (long at = state.getFirstSequence(); at <= state.getLastSequence(); at++) {
      all.add(scene.management.getMessage(scene.stream, at));
    }
    return all;
  }

  @Test
  void an_entry_that_two_plans_hold_is_replayed_by_one_of_them() throws Exception {
    open(RetentionPolicy.WorkQueue);
    List<DeadLetterId> ids = scene.die(5);
    PlanHead first = scene.plan(PlanOptions.DEFAULT);
    PlanHead second = scene.plan(PlanOptions.DEFAULT);
    scene.run(first);
    scene.run(second);
    assertThat(scene.messages()).isEqualTo(5);
    assertThat(scene.plans.report(second.plan(), Scene.ANN).findings())
        .hasSize(5)
        .allSatisfy(
            finding ->
                assertThat(finding.why())
                    .isEqualTo("it is being replayed in plan " + first.plan() + " by ann@host"));

    try (ContrailConsumer worker = scene.worker()) {
      scene.awaitAll(first);
    }
    Draft third = scene.plans.draft(scene.all(), PlanOptions.DEFAULT, true);
    assertThat(third.planned()).isEmpty();
    assertThat(third.leftOut())
        .extracting(Draft.LeftOut::why)
        .containsOnly("it is resolved in plan " + first.plan());
    assertThat(scene.runs).hasSize(5);
    assertThat(ids).allMatch(id -> scene.status(id) == Status.RESOLVED);
  }

  @Test
  void a_plan_that_runs_is_not_run_by_another() throws Exception {
    open(RetentionPolicy.WorkQueue);
    scene.die(3);
    PlanHead plan = scene.plan(options(Optional.empty(), Rate.parse("1/m"), 0, true, 3));
    StopSign stop = new StopSign();
    CompletableFuture<RunResult> running =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return scene.plans.run(plan.plan(), "bob@far", false, stop, PlanReport.NO_LISTENER);
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    await()
        .atMost(Scene.SOON)
        .until(() -> scene.listed().get(0).state().kind() == PlanState.Kind.RUNNING);
    assertThatThrownBy(() -> scene.run(plan))
        .isInstanceOf(ContrailException.class)
        .hasMessageStartingWith("Plan " + plan.plan() + " is being run by bob@far;");
    stop.cancel("enough");
    assertThat(running.join().state().kind()).isEqualTo(PlanState.Kind.CANCELLED);
    assertThat(running.join().state().why()).isEqualTo("enough");
  }

  @Test
  void copies_are_no_closer_than_the_rate_allows() throws Exception {
    open(RetentionPolicy.WorkQueue);
    scene.die(6);
    scene.run(scene.plan(options(Optional.empty(), Rate.parse("10/s"), 0, true, 3)));
    List<Instant> times = stored().stream().map(it -> it.getTime().toInstant()).toList();
    assertThat(times).hasSize(6);
    assertThat(Duration.between(times.get(0), times.get(5)))
        .as("time from the first copy to the sixth at 10/s")
        .isGreaterThan(Duration.ofMillis(400));
  }

  @Test
  void a_poison_group_is_stopped_after_the_canary() throws Exception {
    open(RetentionPolicy.WorkQueue);
    scene.die(50);
    PlanHead plan = scene.plan(options(Optional.empty(), Optional.empty(), 5, true, 3));
    try (ContrailConsumer worker = rejecting()) {
      RunResult result = scene.run(plan);
      assertThat(result.state().kind()).isEqualTo(PlanState.Kind.STOPPED);
      assertThat(result.state().why()).containsAnyOf("of the canary came back", "came back as");
      assertThat(scene.awaitAll(plan).tally()).isEqualTo(new Tally(45, 0, 0, 0, 0, 5, 0, 0));
    }
    assertThat(scene.all())
        .filteredOn(it -> it.state().status() == Status.OPEN)
        .as("45 that were not begun with, and 5 new ones")
        .hasSize(50);
  }

  @Test
  void a_canary_that_is_processed_lets_the_others_go() throws Exception {
    open(RetentionPolicy.WorkQueue);
    scene.die(20);
    PlanHead plan = scene.plan(options(Optional.empty(), Optional.empty(), 5, true, 3));
    CountDownLatch go = new CountDownLatch(1);
    try (ContrailConsumer worker =
        scene.worker(
            delivery -> {
              go.await();
              scene.runs.add(delivery);
            })) {
      CompletableFuture<RunResult> running =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return scene.run(plan);
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
              });
      await().atMost(Scene.SOON).until(() -> scene.messages() == 5);
      await().during(Duration.ofMillis(500)).atMost(Scene.SOON).until(() -> scene.messages() == 5);
      go.countDown();
      assertThat(running.join().state().kind()).isEqualTo(PlanState.Kind.FINISHED);
      assertThat(scene.awaitAll(plan).tally().resolved()).isEqualTo(20);
    }
  }

  @Test
  void without_a_canary_it_stops_when_one_comes_back_of_the_same_and_not_of_another()
      throws Exception {
    open(RetentionPolicy.WorkQueue);
    scene.die(40);
    PlanOptions slowly = options(Optional.empty(), Rate.parse("50/s"), 0, true, 3);
    try (ContrailConsumer worker =
        scene.worker(
            delivery -> {
              throw new RejectedMessageException("quite another failure: " + "x".repeat(50));
            })) {
      PlanHead other = scene.plan(slowly);
      RunResult finished = scene.run(other);
      assertThat(finished.state().kind()).as("%s", finished).isEqualTo(PlanState.Kind.FINISHED);
      assertThat(scene.awaitAll(other).tally().returned()).isEqualTo(40);

      PlanHead same = scene.plan(slowly);
      RunResult result = scene.run(same);
      assertThat(result.state().kind()).isEqualTo(PlanState.Kind.STOPPED);
      assertThat(result.state().why()).contains(" came back as ").contains(" the same failure");
      assertThat(scene.plans.report(same.plan(), Scene.ANN).tally().open()).isPositive();
    }
  }

  private ContrailConsumer rejecting() {
    return scene.worker(
        delivery -> {
          throw new RejectedMessageException("no such customer");
        });
  }

  /** Its dead letter is stored before that, and its worker may be killed in between. */
  @Test
  void a_copy_that_died_stands_in_the_chain_before_it_is_told_that_it_came_back() throws Exception {
    open(RetentionPolicy.WorkQueue);
    DeadLetterId root = scene.die(1).get(0);
    try (ContrailConsumer worker = rejecting()) {
      PlanHead plan = scene.plan(PlanOptions.DEFAULT);
      scene.run(plan);
      assertThat(scene.awaitAll(plan).tally().returned()).isEqualTo(1);
    }
    EntryState returned = scene.state(root);
    String told = EventAddress.outcome(root, 1).subject(scene.names.prefix());
    MessageInfo outcome = scene.management.getLastMessage(scene.names.eventStream(), told);
    scene.management.deleteMessage(scene.names.eventStream(), outcome.getSeq());

    DeadLetterId copy = returned.returnedAs().orElseThrow();
    assertThat(scene.selections.find(copy).orElseThrow().origin()).isEqualTo(new Origin(root, 1));
  }

  @Test
  void a_chain_of_replays_ends_at_the_most_allowed() throws Exception {
    open(RetentionPolicy.WorkQueue);
    DeadLetterId root = scene.die(1).get(0);
    PlanOptions twice = options(Optional.empty(), Optional.empty(), 0, false, 2);
    try (ContrailConsumer worker = rejecting()) {
      for (int replay = 1; replay <= 2; replay++) {
        PlanHead plan = scene.plan(twice);
        assertThat(plan.entries()).isEqualTo(1);
        scene.run(plan);
        assertThat(scene.awaitAll(plan).tally().returned()).isEqualTo(1);
      }
    }
    Draft draft = scene.plans.draft(scene.all(), twice, false);
    assertThat(draft.planned()).isEmpty();
    assertThat(draft.leftOut())
        .extracting(Draft.LeftOut::why)
        .contains("it was replayed 2 times already, and --max-replays is 2");
    Candidate last =
        scene.all().stream()
            .filter(it -> it.state().status() == Status.OPEN)
            .findAny()
            .orElseThrow();
    assertThat(last.origin()).isEqualTo(new Origin(root, 2));
    assertThat(scene.selections.find(last.summary().id()).orElseThrow().origin())
        .as("the same, found out by its own headers")
        .isEqualTo(last.origin());

    // A plan that was made with more in mind meets it too.
    PlanHead unaware =
        scene.plans.create(
            List.of(new PlanEntry(last.summary().id(), 0, 0)), "one", twice, Scene.ANN);
    scene.run(unaware);
    assertThat(scene.plans.report(unaware.plan(), Scene.ANN).tally().leftOut()).isEqualTo(1);

    PlanHead more =
        scene.plan(List.of(last), options(Optional.empty(), Optional.empty(), 0, true, 3), false);
    try (ContrailConsumer worker = scene.worker()) {
      scene.run(more);
      scene.awaitAll(more);
    }
    assertThat(scene.runs)
        .extracting(Delivery::idempotencyKey)
        .containsExactly(root.stream() + "." + root.incarnation() + "." + root.sequence());
  }

  @Test
  void on_a_stream_with_two_consumers_only_the_one_that_failed_runs_it() throws Exception {
    open(RetentionPolicy.Limits);
    List<String> others = new CopyOnWriteArrayList<>();
    try (ContrailConsumer mail =
        scene.consumer("mail").handler(it -> others.add(it.subject())).start()) {
      scene.die(3);
      await().atMost(Scene.SOON).until(() -> others.size() == 3);
      PlanHead plan = scene.plan(PlanOptions.DEFAULT);
      scene.run(plan);
      // Before the one that they are for: copies for anybody would be gone then.
      await()
          .atMost(Scene.SOON)
          .until(() -> scene.management.getConsumerInfo(scene.stream, "mail").getNumPending() == 0);
      await().atMost(Scene.SOON).until(() -> mail.status().inFlight() == 0);
      assertThat(others).as("runs of the other").hasSize(3);
      try (ContrailConsumer worker = scene.worker()) {
        assertThat(scene.awaitAll(plan).tally().resolved()).isEqualTo(3);
      }
      assertThat(mail.status().counts().deduplicated()).isEqualTo(3);
    }
    assertThat(scene.runs).hasSize(3);
    assertThat(others).hasSize(3);
  }

  @Test
  void what_cannot_be_published_leaves_the_entry_open_with_the_reason() throws Exception {
    open(RetentionPolicy.WorkQueue);
    DeadLetterId id = scene.die(1).get(0);
    PlanEntry entry = new PlanEntry(id, 0, 0);

    scene.management.deleteStream(scene.stream);
    assertFails(entry, "there is no stream " + scene.stream + " any more");

    stream(scene.stream + ".other");
    assertFails(next(entry), "stream " + scene.stream + " does not take " + scene.subject());

    scene.management.deleteStream(scene.stream);
    scene.management.addStream(
        StreamConfiguration.builder()
            .name(scene.stream)
            .subjects(scene.stream + ".>")
            .maxMessages(1)
            .discardPolicy(DiscardPolicy.New)
            .build());
    scene.connection.jetStream().publish(scene.stream + ".first", new byte[0]);
    assertFails(next(next(entry)), "maximum messages exceeded");

    assertFails(
        next(next(next(entry))),
        "no stream takes nobody.takes.this",
        options(Optional.of("nobody.takes.this"), Optional.empty(), 0, true, 3));
  }

  private void stream(String subject) throws Exception {
    scene.management.addStream(
        StreamConfiguration.builder().name(scene.stream).subjects(subject).build());
  }

  private static PlanEntry next(PlanEntry entry) {
    return new PlanEntry(entry.id(), entry.lastStep() + 1, 0);
  }

  private void assertFails(PlanEntry entry, String reason) throws InterruptedException {
    assertFails(entry, reason, PlanOptions.DEFAULT);
  }

  private void assertFails(PlanEntry entry, String reason, PlanOptions how)
      throws InterruptedException {
    PlanHead plan = scene.plans.create(List.of(entry), "one", how, Scene.ANN);
    assertThat(scene.run(plan).state().kind()).isEqualTo(PlanState.Kind.FINISHED);
    assertThat(scene.plans.report(plan.plan(), Scene.ANN).findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.why()).contains(reason));
    assertThat(scene.status(entry.id())).isEqualTo(Status.OPEN);
    assertThat(scene.events.outcome(entry.id(), entry.lastStep() + 1).join().orElseThrow())
        .isInstanceOfSatisfying(
            ReplayOutcome.Failed.class, failed -> assertThat(failed.reason()).contains(reason));
  }

  @Test
  void a_duplicate_of_something_else_is_not_taken_for_success() throws Exception {
    open(RetentionPolicy.WorkQueue);
    DeadLetterId id = scene.die(1).get(0);
    scene
        .connection
        .jetStream()
        .publish(scene.subject(), new Headers().add("Nats-Msg-Id", id + "#1"), new byte[0]);
    assertFails(new PlanEntry(id, 0, 0), "has the id " + id + "#1 too");

    PlanHead again = scene.plan(PlanOptions.DEFAULT);
    try (ContrailConsumer worker = scene.worker()) {
      scene.run(again);
      assertThat(scene.awaitAll(again).tally().resolved()).isEqualTo(1);
    }
  }

  @Test
  void what_was_processed_after_all_is_not_processed_again() throws Exception {
    open(RetentionPolicy.Limits);
    DeadLetterId id = scene.die(1).get(0);
    // A worker that knows nothing of its death processes it, as one does that was taken for dead.
    scene.management.deleteConsumer(scene.stream, Scene.CONSUMER);
    try (ContrailConsumer worker = scene.worker()) {
      await().atMost(Scene.SOON).until(() -> worker.status().counts().done() == 1);
    }
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    scene.run(plan);
    assertThat(scene.plans.report(plan.plan(), Scene.ANN).findings())
        .singleElement()
        .satisfies(it -> assertThat(it.why()).isEqualTo("its message was processed after all"));
    assertThat(scene.status(id)).isEqualTo(Status.COMPLETED);
    assertThat(scene.messages()).isEqualTo(1);
  }

  @Test
  void the_newest_version_of_an_edited_payload_is_replayed_and_the_original_stays()
      throws Exception {
    open(RetentionPolicy.WorkQueue);
    DeadLetterId id = scene.die(1).get(0);
    byte[] edited = "order 0, mended".getBytes(UTF_8);
    assertThat(edits().edit(id, "first try".getBytes(UTF_8), Scene.ANN).version()).isEqualTo(1);
    assertThat(edits().edit(id, edited, Scene.ANN).version()).isEqualTo(2);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    try (ContrailConsumer worker = scene.worker()) {
      scene.run(plan);
      scene.awaitAll(plan);
    }
    assertThat(scene.runs)
        .singleElement()
        .satisfies(
            run -> {
              assertThat(run.data()).isEqualTo(edited);
              assertThat(run.idempotencyKey()).endsWith("." + id.sequence() + ".v2");
            });
    assertThat(scene.deadLetters().find(id).orElseThrow().message().payload())
        .isEqualTo("order 0".getBytes(UTF_8));
    assertThat(scene.events.events(id).join().events())
        .extracting(event -> event.fact().kind())
        .containsExactly("edited", "edited", "replay", "run", "resolved");
    assertThatThrownBy(() -> edits().edit(id, edited, Scene.ANN))
        .isInstanceOf(ContrailException.class)
        .hasMessage(
            "The dead letter "
                + id
                + " cannot be edited: it is resolved in plan "
                + plan.plan()
                + ".");
    assertThatThrownBy(() -> edits().edit(id, new byte[1 << 20], Scene.ANN))
        .hasMessage(
            "A payload of 1048576 bytes cannot be replayed: this server takes up to 1047552.");
  }

  private Edits edits() {
    return new Edits(
        scene.connection, JetStreamOptions.defaultOptions(), scene.names, Provision.CREATE);
  }

  @Test
  void a_cancelled_plan_is_partly_done_and_resuming_it_finishes() throws Exception {
    open(RetentionPolicy.WorkQueue);
    int all = 10_000;
    scene.bury(all);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    CompletableFuture<RunResult> running =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return scene.plans.run(
                    plan.plan(),
                    Scene.ANN,
                    false,
                    new StopSign(),
                    new RunListener() {
                      @Override
                      public void settled(int done, int of) {
                        if (done == all / 5) {
                          var unused =
                              CompletableFuture.runAsync(
                                  () -> scene.plans.cancel(plan.plan(), "bob@host"));
                        }
                      }

                      @Override
                      public void notice(String sentence) {}
                    });
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    assertThat(running.join().state().kind()).isEqualTo(PlanState.Kind.CANCELLED);
    assertThat(running.join().state().by()).isEqualTo("bob@host");
    assertThat(running.join().unsettled()).isEmpty();
    Tally tally = scene.plans.report(plan.plan(), Scene.ANN).tally();
    assertThat(tally.replayed()).as("replayed").isBetween(all / 5, all - 1);
    assertThat(tally.replayed() + tally.open()).isEqualTo(all);
    assertThat(scene.messages()).as("copies").isEqualTo(tally.replayed());
    assertThat(scene.all().stream().filter(it -> it.state().status() == Status.OPEN))
        .as("open entries")
        .hasSize(tally.open());

    try (ContrailConsumer worker = scene.worker()) {
      assertThat(scene.run(plan).state().kind()).isEqualTo(PlanState.Kind.FINISHED);
      assertThat(scene.awaitAll(plan).tally().resolved()).isEqualTo(all);
    }
    assertThat(scene.runs).hasSize(all);
  }
}
