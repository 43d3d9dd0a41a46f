package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.RejectedMessageException;
import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Incarnation;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.CopyPublisher.Fate;
import dev.contrail.jetstream.EventStore.Decider;
import dev.contrail.jetstream.EventStore.Decision;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.plan.PlanProgress;
import dev.contrail.plan.PlanState;
import dev.contrail.plan.Rate;
import io.nats.client.IterableConsumer;
import io.nats.client.JetStreamOptions;
import io.nats.client.PurgeOptions;
import io.nats.client.api.RetentionPolicy;
import java.lang.reflect.Proxy;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs of plans on which something fails on the way. */
@Timeout(40)
class FailingReplayTest {
  @SuppressWarnings("NullAway.Init") // set before each
  private Scene scene;

  @BeforeEach
  void open() throws Exception {
    scene = Scene.on(Scene.newest(), RetentionPolicy.WorkQueue);
  }

  @AfterEach
  void close() {
    scene.close();
  }

  /** Publishes as the supplier says; all else is done. */
  private record Publishing(ReplayPort port, Supplier<Optional<Fate>> instead)
      implements ReplayPort {
    @Override
    public CompletableFuture<Decision> decide(
        DeadLetterId entry, EntryState known, Step step, Decider decider) {
      return port.decide(entry, known, step, decider);
    }

    @Override
    public CompletableFuture<Fate> publish(String subject, byte[] headerBlock, byte[] payload) {
      return instead
          .get()
          .map(CompletableFuture::completedFuture)
          .orElseGet(() -> port.publish(subject, headerBlock, payload));
    }

    @Override
    public CompletableFuture<Boolean> tell(Event outcome) {
      return port.tell(outcome);
    }

    @Override
    public CompletableFuture<Boolean> progress(
        String plan, int number, List<PlanProgress> done, String by) {
      return port.progress(plan, number, done, by);
    }
  }

  @Test
  void what_was_published_is_written_down_when_dead_letters_cannot_be_read_any_more()
      throws Exception {
    scene.die(3);
    PlanOptions slowly = new PlanOptions(Optional.empty(), Rate.parse("10/s"), 0, true, 3);
    PlanHead plan = scene.plan(slowly);
    AtomicInteger published = new AtomicInteger();
    scene.plans.port =
        port ->
            new Publishing(
                port,
                () -> {
                  published.incrementAndGet();
                  return Optional.empty();
                });
    scene.plans.letters =
        letters ->
            entry -> {
              if (published.get() == 2) {
                throw new ContrailException("No more of them.");
              }
              return letters.next(entry);
            };
    RunResult result = scene.run(plan);
    assertThat(result.state().kind()).isEqualTo(PlanState.Kind.STOPPED);
    assertThat(result.state().why()).isEqualTo("No more of them.");
    assertThat(scene.listed().get(0).state().kind()).isEqualTo(PlanState.Kind.STOPPED);
    assertThat(scene.plans.report(plan.plan(), Scene.ANN).tally())
        .isEqualTo(new Tally(1, 2, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void a_run_that_fails_in_a_way_nobody_foresaw_does_not_seem_to_go_on_for_ever() throws Exception {
    scene.die(1);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    scene.plans.letters =
        letters -> {
          throw new IllegalStateException("no disk");
        };

    assertThatThrownBy(() -> scene.run(plan))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no disk")
        .hasNoSuppressedExceptions();

    PlanState state = scene.listed().get(0).state();
    assertThat(state.kind()).isEqualTo(PlanState.Kind.STOPPED);
    assertThat(state.why()).isEqualTo("java.lang.IllegalStateException: no disk");
    scene.plans.letters = letters -> letters;
    assertThat(scene.run(plan).state().kind()).isEqualTo(PlanState.Kind.FINISHED);
  }

  @Test
  void
      what_an_earlier_run_may_have_published_and_is_refused_now_is_open_again_and_its_copy_not_run()
          throws Exception {
    DeadLetterId id = scene.die(1).get(0);
    PlanHead plan = scene.plan(PlanOptions.DEFAULT);
    KillingReplayPort.killAfterPublish(scene, plan);
    assertThat(scene.messages()).as("copies").isEqualTo(1);
    scene.plans.port =
        port -> new Publishing(port, () -> Optional.of(new Fate.Refused("no more room")));

    assertThat(scene.run(plan).state().kind()).isEqualTo(PlanState.Kind.FINISHED);

    assertThat(scene.status(id)).isEqualTo(Status.OPEN);
    try (ContrailConsumer worker = scene.worker()) {
      scene.awaitEmpty();
    }
    assertThat(scene.runs).isEmpty();
  }

  @Test
  void a_canary_that_is_refused_stops_the_plan() throws Exception {
    DeadLetterId first = scene.die(3).get(0);
    PlanHead plan = scene.plan(new PlanOptions(Optional.empty(), Optional.empty(), 1, true, 3));
    scene.plans.port =
        port -> new Publishing(port, () -> Optional.of(new Fate.Refused("no more room")));

    PlanState state = scene.run(plan).state();

    assertThat(state.kind()).isEqualTo(PlanState.Kind.STOPPED);
    assertThat(state.why()).isEqualTo(first + " of the canary could not be replayed");
    assertThat(scene.plans.report(plan.plan(), Scene.ANN).tally().open()).isEqualTo(2);
    scene.plans.port = port -> port;
    assertThat(scene.run(plan).state().kind())
        .as("resumed by somebody who was told")
        .isEqualTo(PlanState.Kind.FINISHED);
  }

  @Test
  void a_canary_that_came_back_stops_the_plan_until_somebody_who_was_told_resumes_it()
      throws Exception {
    scene.die(3);
    PlanHead plan = scene.plan(new PlanOptions(Optional.empty(), Optional.empty(), 1, true, 3));
    try (ContrailConsumer rejecting =
        scene.worker(
            delivery -> {
              throw new RejectedMessageException("no such customer");
            })) {
      assertThat(scene.run(plan).state().kind()).isEqualTo(PlanState.Kind.STOPPED);
    }
    assertThat(scene.run(plan).state().kind()).isEqualTo(PlanState.Kind.FINISHED);
  }

  @Test
  void a_canary_whose_fate_is_not_known_stops_the_plan() throws Exception {
    scene.bury(Scene.CONSUMER, Reason.EXHAUSTED, 1_000_001, 3);
    PlanHead plan = scene.plan(new PlanOptions(Optional.empty(), Optional.empty(), 1, true, 3));
    AtomicInteger tries = new AtomicInteger();
    scene.plans.port =
        port ->
            new Publishing(
                port,
                () ->
                    Optional.of(
                        tries.incrementAndGet() == 1
                            ? new Fate.Unknown("no answer")
                            : new Fate.Refused("no more room")));
    RunResult result = scene.run(plan);
    assertThat(result.state().kind()).isEqualTo(PlanState.Kind.STOPPED);
    assertThat(result.state().why())
        .startsWith("it is not known whether the copy of ")
        .endsWith(", of the canary, was published: no more room");
    assertThat(result.unsettled()).hasSize(1);
    assertThat(scene.plans.report(plan.plan(), Scene.ANN).tally().open()).isEqualTo(3);
  }

  @Test
  void what_came_back_in_an_earlier_run_does_not_stop_the_next() throws Exception {
    scene.die(6);
    PlanHead plan = scene.plan(new PlanOptions(Optional.empty(), Rate.parse("5/s"), 0, true, 3));
    try (ContrailConsumer rejecting =
        scene.worker(
            delivery -> {
              throw new RejectedMessageException("no such customer");
            })) {
      assertThat(scene.run(plan).state().kind()).isEqualTo(PlanState.Kind.STOPPED);
      assertThat(scene.awaitAll(plan).tally().open()).as("left to do").isPositive();
    }
    assertThat(scene.run(plan).state()).matches(it -> it.kind() == PlanState.Kind.FINISHED);
  }

  @Test
  void dead_letters_that_are_purged_while_they_are_read_are_gone_and_no_failure() throws Exception {
    scene.bury(3);
    List<PlanEntry> entries =
        scene.all().stream()
            .map(it -> new PlanEntry(it.summary().id(), 0, 0))
            // As they lie in the stream.
            .sorted(Comparator.comparing(entry -> entry.id().sequence()))
            .toList();
    try (StreamedLetters letters =
        new StreamedLetters(
            scene.names, scene.deadLetters(), entries, endingAfter(1, messages(entries)))) {
      assertThat(letters.next(entries.get(0))).isPresent();
      scene.management.purgeStream(
          scene.names.deadLetterStream(),
          PurgeOptions.subject(entries.get(1).id().subject(scene.names.prefix())));
      assertThat(letters.next(entries.get(1))).isEmpty();
      assertThat(letters.next(entries.get(2))).isPresent();
    }
  }

  @Test
  void dead_letters_that_lie_far_before_those_of_a_plan_are_not_read() throws Exception {
    scene.bury(2_000);
    List<PlanEntry> entries =
        List.of(
            new PlanEntry(
                new DeadLetterId(scene.stream, Scene.CONSUMER, incarnation(), 1_001_990), 0, 0));
    try (IterableConsumer messages = messages(entries)) {
      long first = messages.nextMessage(Scene.SOON).metaData().streamSequence();
      assertThat(first).isBetween(900L, 1_990L);
    }
    scene.management.purgeStream(
        scene.names.deadLetterStream(),
        PurgeOptions.subject(entries.get(0).id().subject(scene.names.prefix())));
    try (IterableConsumer messages = messages(entries)) {
      long first = messages.nextMessage(Scene.SOON).metaData().streamSequence();
      assertThat(first).as("where it is not known where to begin").isEqualTo(1);
    }
  }

  private String incarnation() throws Exception {
    return Incarnation.of(scene.management.getStreamInfo(scene.stream).getCreateTime().toInstant());
  }

  private IterableConsumer messages(List<PlanEntry> entries) {
    return StreamedLetters.messages(
        scene.connection, JetStreamOptions.defaultOptions(), scene.names, entries);
  }

  /** After so many messages nothing comes, though more were announced. */
  private static IterableConsumer endingAfter(int count, IterableConsumer messages) {
    AtomicInteger left = new AtomicInteger(count);
    return (IterableConsumer)
        Proxy.newProxyInstance(
            FailingReplayTest.class.getClassLoader(),
            new Class<?>[] {IterableConsumer.class},
            (proxy, method, arguments) ->
                method.getName().equals("nextMessage") && left.getAndDecrement() <= 0
                    ? null
                    : method.invoke(messages, arguments));
  }
}
