package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.Delivery;
import dev.contrail.RejectedMessageException;
import dev.contrail.event.CopyPlace;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Fact;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.ConsumerNotice.Kind;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.Source;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies that a replay published, met by a worker: each replay is processed once, and told of. */
@OnEveryServer
class ReplayedCopiesTest {
  private static final Duration ACK_WAIT = Duration.ofMillis(600);

  /** More than two waits for an ack: a message that is not held would come again. */
  private static final Duration WHILE = Duration.ofMillis(1_500);

  /** Long enough for a message to be held for as long as a server may lag behind. */
  private static final Duration A_MINUTE = Duration.ofMinutes(1);

  private final NatsServerBinary binary;
  private final Queue<Delivery<byte[]>> runs = new ConcurrentLinkedQueue<>();
  private Workplace workplace;
  private Copies copies;

  ReplayedCopiesTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    on(RetentionPolicy.WorkQueue);
  }

  private void on(RetentionPolicy retention) throws Exception {
    if (workplace != null) {
      workplace.close();
    }
    workplace = Workplace.on(Servers.shared(binary), retention);
    copies = Copies.on(workplace, retention);
  }

  @AfterEach
  void close() {
    workplace.close();
  }

  private ConsumerBuilder<byte[]> consumer() {
    return workplace.consumer().ackWait(ACK_WAIT).handler(runs::add);
  }

  private CopyPlace place(long sequence) {
    return new CopyPlace(workplace.stream, workplace.incarnation(), sequence);
  }

  @Test
  void a_copy_is_run_once_under_the_key_of_the_message_that_died_and_told_as_resolved()
      throws Exception {
    Copies.Replay replay = copies.decide();
    long sequence = replay.publish("ok", "NATS/1.0\r\nX-Name: José\r\n\r\n".getBytes(ISO_8859_1));
    try (ContrailConsumer consumer = consumer().start()) {
      workplace.awaitEmpty();
      await().atMost(Workplace.SOON).until(() -> consumer.status().counts().done() == 1);
    }
    assertThat(runs)
        .singleElement()
        .satisfies(
            run -> {
              DeadLetterId entry = replay.entry();
              assertThat(run.idempotencyKey())
                  .isEqualTo(entry.stream() + "." + entry.incarnation() + "." + entry.sequence());
              assertThat(run.headers().first("X-Name")).contains("José");
              assertThat(run.headers().first("Contrail-Replay-Of")).contains(entry.toString());
            });
    assertThat(replay.outcome())
        .contains(new ReplayOutcome.Resolved(place(sequence), "worker", false));
    assertThat(replay.event(EventAddress.run(replay.entry(), 1, 1)).orElseThrow().fact())
        .isEqualTo(new Fact.Run(place(sequence), "worker"));
  }

  @Test
  void a_worker_without_a_ledger_does_the_same_and_an_edited_payload_has_a_key_of_its_own()
      throws Exception {
    Copies.Replay replay = copies.decide(2, Optional.of("worker"));
    replay.publish("ok");
    try (ContrailConsumer consumer = consumer().withoutLedger().start()) {
      replay.awaitOutcome();
      replay.publishOutsideOfWindow("ok");
      workplace.awaitEmpty();
      await().atMost(Workplace.SOON).until(() -> consumer.status().counts().deduplicated() == 1);
    }
    assertThat(runs)
        .singleElement()
        .satisfies(
            run ->
                assertThat(run.idempotencyKey()).endsWith("." + replay.entry().sequence() + ".v2"));
  }

  @Test
  void of_two_copies_that_are_there_at_once_one_runs_and_the_other_is_held_until_it_is_done()
      throws Exception {
    assertThat(runsOfTwoCopiesAtOnce(Optional.empty())).isEqualTo(1);
  }

  @Test
  void the_same_is_seen_to_fail_when_no_copy_is_claimed() throws Exception {
    assertThat(runsOfTwoCopiesAtOnce(Optional.of(Fault.NO_CLAIM))).isEqualTo(2);
  }

  private int runsOfTwoCopiesAtOnce(Optional<Fault> fault) throws Exception {
    Copies.Replay replay = copies.decide();
    replay.publish("ok");
    replay.publishOutsideOfWindow("ok");
    CountDownLatch go = new CountDownLatch(1);
    try (ContrailConsumer consumer =
        consumer()
            .handler(
                delivery -> {
                  runs.add(delivery);
                  go.await();
                })
            .options(
                options ->
                    Faults.apply(fault, workplace.names.prefix(), workplace.connection, options))
            .start()) {
      await().atMost(Workplace.SOON).until(() -> !runs.isEmpty());
      assertThat(go.await(WHILE.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
      assertThat(workplace.consumerInfo().getRedelivered()).as("redelivered").isZero();
      assertThat(consumer.status().inFlight()).isEqualTo(2);
      go.countDown();
      workplace.awaitEmpty();
    }
    assertThat(replay.awaitOutcome()).isInstanceOf(ReplayOutcome.Resolved.class);
    return runs.size();
  }

  @Test
  void a_claim_that_was_made_before_is_still_the_copys_own() throws Exception {
    Copies.Replay replay = copies.decide();
    replay.publish("ok");
    long second = replay.publishOutsideOfWindow("ok");
    claim(replay, second);
    try (ContrailConsumer consumer = consumer().start()) {
      workplace.awaitEmpty();
      await().atMost(Workplace.SOON).until(() -> consumer.status().counts().deduplicated() == 1);
    }
    assertThat(runs).extracting(Delivery::sequence).containsExactly(second);
  }

  @Test
  void when_the_copy_that_was_to_run_is_gone_without_an_outcome_one_other_runs() throws Exception {
    Copies.Replay replay = copies.decide();
    long gone = replay.publish("ok");
    claim(replay, gone);
    workplace.management.deleteMessage(workplace.stream, gone, false);
    replay.publishOutsideOfWindow("ok");
    replay.publishOutsideOfWindow("ok");
    try (ContrailConsumer consumer = consumer().handlerTimeout(WHILE).start()) {
      workplace.awaitEmpty();
      await().atMost(Workplace.SOON).until(() -> consumer.status().counts().deduplicated() == 1);
    }
    assertThat(runs).hasSize(1);
    assertThat(replay.awaitOutcome()).isInstanceOf(ReplayOutcome.Resolved.class);
    assertThat(replay.event(EventAddress.run(replay.entry(), 1, 2))).isPresent();
  }

  @Test
  void no_other_runs_before_a_handler_of_the_copy_that_is_gone_must_have_ended() throws Exception {
    Copies.Replay replay = copies.decide();
    long gone = replay.publish("ok");
    claim(replay, gone);
    workplace.management.deleteMessage(workplace.stream, gone, false);
    replay.publishOutsideOfWindow("ok");
    try (ContrailConsumer consumer = consumer().start()) {
      await()
          .atMost(Workplace.SOON)
          .until(() -> replay.event(EventAddress.run(replay.entry(), 1, 2)).isPresent());
      assertThat(consumer.status().counts().done()).isZero();
    }
    assertThat(runs).as("runs before a handler of the first must have ended").isEmpty();
  }

  @Test
  void copies_of_which_one_was_taken_for_gone_do_not_wait_for_each_other() throws Exception {
    Copies.Replay replay = copies.decide();
    long first = replay.publish("ok");
    long second = replay.publishOutsideOfWindow("ok");
    claim(replay, first);
    claim(replay, 2, new Fact.Run(place(second), "worker"));
    try (ContrailConsumer consumer = consumer().handlerTimeout(WHILE).start()) {
      assertThat(replay.awaitOutcome()).isInstanceOf(ReplayOutcome.Resolved.class);
      workplace.awaitEmpty();
    }
    assertThat(runs).extracting(Delivery::sequence).containsExactly(second);
  }

  @Test
  void one_that_is_dropped_for_the_next_while_it_runs_is_waited_for() throws Exception {
    Copies.Replay replay = copies.decide();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    long first = replay.publish("ok");
    try (ContrailConsumer one =
            consumer()
                .handler(
                    delivery -> {
                      runs.add(delivery);
                      running.countDown();
                      end.await();
                    })
                .start();
        ContrailConsumer two = consumer().start()) {
      running.await();
      // As a stream does that keeps one message of each subject.
      workplace.management.deleteMessage(workplace.stream, first, false);
      replay.publishOutsideOfWindow("ok");
      await()
          .atMost(Workplace.SOON)
          .until(() -> one.status().inFlight() + two.status().inFlight() == 2);
      assertThat(end.await(WHILE.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
      assertThat(runs).as("runs while the first goes on").hasSize(1);
      end.countDown();
      workplace.awaitEmpty();
    }
    assertThat(runs).hasSize(1);
    assertThat(replay.awaitOutcome()).isInstanceOf(ReplayOutcome.Resolved.class);
  }

  private void claim(Copies.Replay replay, long sequence) {
    claim(replay, 1, new Fact.Run(place(sequence), "worker"));
  }

  private void claim(Copies.Replay replay, int turn, Fact.Claim claim) {
    EventAddress address = EventAddress.run(replay.entry(), 1, turn);
    copies.events.create(new Event(address, Instant.now(), "7@host", claim)).join();
  }

  @Test
  void a_copy_of_a_replay_that_was_given_up_is_not_run_and_its_outcome_is_told() throws Exception {
    Copies.Replay replay = copies.decide();
    claim(replay, 1, new Fact.Resent());
    claim(replay, 2, new Fact.Barred("the stream is full"));
    replay.publish("ok");
    try (ContrailConsumer consumer = consumer().start()) {
      workplace.awaitEmpty();
      await().atMost(Workplace.SOON).until(() -> consumer.status().counts().deduplicated() == 1);
    }
    assertThat(runs).isEmpty();
    assertThat(replay.outcome()).contains(new ReplayOutcome.Failed("the stream is full"));
  }

  @Test
  void a_copy_that_somebody_published_for_others_is_run_once_by_a_worker_that_meets_it()
      throws Exception {
    Copies.Replay replay = copies.decide();
    claim(replay, 1, new Fact.Resent());
    replay.publishOutsideOfWindow("ok");
    replay.publishOutsideOfWindow("ok");
    try (ContrailConsumer consumer = consumer().start()) {
      workplace.awaitEmpty();
    }
    assertThat(runs).hasSize(1);
    assertThat(replay.awaitOutcome()).isInstanceOf(ReplayOutcome.Resolved.class);
    assertThat(copies.events.claim(replay.entry(), 1).join().orElseThrow().fact())
        .isInstanceOf(Fact.Run.class);
  }

  @Test
  void a_copy_that_dies_again_is_told_as_returned_under_the_id_of_its_new_dead_letter()
      throws Exception {
    Copies.Replay replay = copies.decide();
    long sequence =
        replay.publish("poison", "NATS/1.0\r\nX-Name: José\r\n\r\n".getBytes(ISO_8859_1));
    try (ContrailConsumer consumer =
        consumer()
            .handler(
                delivery -> {
                  throw new RejectedMessageException("still bad");
                })
            .start()) {
      workplace.awaitEmpty();
      await().atMost(Workplace.SOON).until(() -> consumer.status().counts().dead() == 1);
    }
    DeadLetter letter = workplace.awaitDeadLetter();
    assertThat(letter.id().sequence()).isEqualTo(sequence);
    assertThat(replay.outcome()).contains(new ReplayOutcome.Returned(letter.id()));
    assertThat(new String(letter.message().headerBlock(), ISO_8859_1))
        .startsWith("NATS/1.0\r\nNats-Msg-Id: " + replay.copy.messageId() + "\r\n")
        .endsWith("X-Name: José\r\n\r\n");
  }

  @Test
  void another_consumer_of_the_stream_leaves_it_alone_and_says_so() throws Exception {
    on(RetentionPolicy.Limits);
    Copies.Replay replay = copies.decide();
    Queue<Long> othersRuns = new ConcurrentLinkedQueue<>();
    try (ContrailConsumer other =
            Contrail.consumer(workplace.connection, workplace.stream, "mail")
                .prefix(workplace.names.prefix())
                .handler(delivery -> othersRuns.add(delivery.sequence()))
                .start();
        ContrailConsumer consumer = consumer().start()) {
      long sequence = replay.publish("ok");
      long marker = workplace.publish("marker");
      await().atMost(Workplace.SOON).until(() -> othersRuns.contains(marker) && runs.size() == 2);
      replay.awaitOutcome();
      await().atMost(Workplace.SOON).until(() -> other.status().counts().deduplicated() == 1);
      assertThat(othersRuns).containsExactly(marker);
      assertThat(runs).extracting(Delivery::sequence).containsExactlyInAnyOrder(sequence, marker);
      assertThat(
              replay
                  .event(EventAddress.skipped(replay.entry(), 1, place(sequence), "mail"))
                  .orElseThrow()
                  .fact())
          .isEqualTo(new Fact.Skipped(place(sequence), "mail"));
      assertThat(consumer.status().counts().deduplicated()).isZero();
    }
  }

  @Test
  void in_a_stream_that_sources_the_other_one_nobody_runs_it() throws Exception {
    on(RetentionPolicy.Limits);
    Workplace sourcing =
        Workplace.at(workplace.server, workplace.stream + "B", workplace.names.prefix());
    workplace.management.addStream(
        StreamConfiguration.builder()
            .name(sourcing.stream)
            .sources(Source.builder().sourceName(workplace.stream).build())
            .build());
    Copies.Replay replay = copies.decide();
    try (ContrailConsumer consumer = sourcing.consumer().handler(runs::add).start()) {
      replay.publish("ok");
      workplace.publish("marker");
      await().atMost(Workplace.SOON).until(() -> !runs.isEmpty());
      await().atMost(Workplace.SOON).until(() -> consumer.status().counts().deduplicated() == 1);
      assertThat(runs).extracting(run -> new String(run.data(), UTF_8)).containsExactly("marker");
      assertThat(replay.outcome()).isEmpty();
    } finally {
      sourcing.close();
    }
  }

  @Test
  void headers_that_no_replay_wrote_make_a_message_like_any_other() throws Exception {
    Copies.Replay real = copies.decide();
    Copies.Replay forged =
        copies
        .new Replay(
            new ReplayCopy(new DeadLetterId(workplace.stream, "worker", "x", 5), 1), real.step);
    Copies.Replay noReplay = copies.decide();
    copies
        .events
        .take(
            noReplay.entry(),
            new Step.Discarded("no"),
            new EventStore.Decider("ann", Instant.now(), true))
        .join();
    Copies.Replay discarded = copies.new Replay(new ReplayCopy(noReplay.entry(), 2), real.step);
    long first = forged.publish("ok");
    long second = discarded.publish("ok");
    try (ContrailConsumer consumer = consumer().start()) {
      await().atMost(A_MINUTE).until(() -> workplace.messages() == 0);
    }
    assertThat(runs)
        .extracting(Delivery::idempotencyKey)
        .containsExactlyInAnyOrder(
            workplace.stream + "." + workplace.incarnation() + "." + first,
            workplace.stream + "." + workplace.incarnation() + "." + second);
    assertThat(forged.outcome()).isEmpty();
    assertThat(discarded.outcome()).isEmpty();
  }

  @Test
  void a_copy_whose_step_is_not_known_yet_is_held_and_runs_as_one_when_it_is() throws Exception {
    on(RetentionPolicy.Limits);
    Copies.Replay replay = copies.undecided(9);
    long sequence = replay.publish("ok");
    Queue<Long> othersRuns = new ConcurrentLinkedQueue<>();
    try (ContrailConsumer other =
            Contrail.consumer(workplace.connection, workplace.stream, "mail")
                .prefix(workplace.names.prefix())
                .handler(delivery -> othersRuns.add(delivery.sequence()))
                .start();
        ContrailConsumer consumer = consumer().start()) {
      await().atMost(Workplace.SOON).until(() -> consumer.status().inFlight() == 1);
      // Longer than it takes to ask again, and than a message waits for its ack.
      long end = System.nanoTime() + WHILE.multipliedBy(2).toNanos();
      await()
          .atMost(Workplace.SOON)
          .until(
              () -> {
                long healthy = workplace.publish("healthy");
                await()
                    .atMost(Workplace.SOON)
                    .until(
                        () ->
                            othersRuns.contains(healthy)
                                && runs.stream().anyMatch(run -> run.sequence() == healthy));
                return System.nanoTime() > end;
              });
      assertThat(runs).as("runs of a copy that nobody knows").noneMatch(this::isCopy);
      assertThat(othersRuns).doesNotContain(sequence);
      replay.decide();
      assertThat(replay.awaitOutcome())
          .isEqualTo(new ReplayOutcome.Resolved(place(sequence), "worker", false));
      await().atMost(Workplace.SOON).until(() -> other.status().counts().deduplicated() == 1);
    }
    assertThat(othersRuns).doesNotContain(sequence);
    assertThat(runs.stream().filter(this::isCopy))
        .singleElement()
        .satisfies(run -> assertThat(run.deliveryCount()).isEqualTo(1));
  }

  @Test
  void many_messages_with_forged_headers_do_not_stop_those_behind_them() throws Exception {
    for (int i = 1; i <= 50; i++) {
      copies.undecided(i).publish("forged");
    }
    for (int i = 0; i < 50; i++) {
      workplace.publish("healthy");
    }
    try (ContrailConsumer consumer = consumer().concurrency(1).start()) {
      await().atMost(Workplace.SOON).until(() -> !runs.isEmpty() && workplace.messages() <= 50);
      assertThat(runs).as("runs while others are held").noneMatch(this::isCopy).hasSize(50);
      await().atMost(A_MINUTE).until(() -> workplace.messages() == 0);
      assertThat(workplace.consumerInfo().getRedelivered()).as("redelivered").isZero();
    }
    assertThat(runs.stream().filter(this::isCopy))
        .hasSize(50)
        .allSatisfy(run -> assertThat(run.deliveryCount()).isEqualTo(1));
  }

  @Test
  void without_a_stream_of_events_every_message_is_like_any_other() throws Exception {
    Copies.Replay replay = copies.decide();
    workplace.management.deleteStream(workplace.names.eventStream());
    long sequence = replay.publish("ok");
    try (ContrailConsumer consumer = consumer().start()) {
      await().atMost(A_MINUTE).until(() -> workplace.messages() == 0);
    }
    assertThat(runs)
        .extracting(Delivery::idempotencyKey)
        .containsExactly(workplace.stream + "." + workplace.incarnation() + "." + sequence);
    assertThat(workplace.stateOf(workplace.names.eventStream())).isEmpty();
  }

  @Test
  void while_events_cannot_be_stored_copies_are_held_and_all_else_goes_on() throws Exception {
    Queue<Kind> notices = new ConcurrentLinkedQueue<>();
    Copies.Replay resolved = copies.decide();
    Copies.Replay returned = copies.decide();
    limitEvents(true);
    try (ContrailConsumer consumer =
        consumer()
            .handler(
                delivery -> {
                  runs.add(delivery);
                  if (new String(delivery.data(), UTF_8).equals("poison")) {
                    throw new RejectedMessageException("told to");
                  }
                })
            .onNotice(notice -> notices.add(notice.kind()))
            .start()) {
      resolved.publish("ok");
      returned.publish("poison");
      await().atMost(Workplace.SOON).until(() -> consumer.status().held() == 2);
      heldFor(2, consumer);
      assertThat(runs).as("runs of copies that nobody could claim").noneMatch(this::isCopy);
      limitEvents(false);
      await().atMost(Workplace.SOON).until(() -> resolved.outcome().isPresent());
      await().atMost(Workplace.SOON).until(() -> returned.outcome().isPresent());
      workplace.awaitEmpty();
      assertThat(notices).contains(Kind.STORE_DOWN, Kind.STORE_BACK);
    }
    assertThat(runs.stream().filter(this::isCopy)).hasSize(2);
    assertThat(runs).allSatisfy(run -> assertThat(run.deliveryCount()).isEqualTo(1));
    assertThat(workplace.deadLetterCount()).isEqualTo(1);
  }

  @Test
  void outcomes_that_cannot_be_stored_hold_their_message_and_nothing_is_repeated()
      throws Exception {
    Copies.Replay resolved = copies.decide();
    Copies.Replay returned = copies.decide();
    CountDownLatch full = new CountDownLatch(1);
    try (ContrailConsumer consumer =
        consumer()
            .handler(
                delivery -> {
                  runs.add(delivery);
                  full.await();
                  if (new String(delivery.data(), UTF_8).equals("poison")) {
                    throw new RejectedMessageException("told to");
                  }
                })
            .start()) {
      resolved.publish("ok");
      returned.publish("poison");
      await().atMost(Workplace.SOON).until(() -> runs.size() == 2);
      limitEvents(true);
      full.countDown();
      await().atMost(Workplace.SOON).until(() -> consumer.status().held() == 2);
      heldFor(2, consumer);
      limitEvents(false);
      workplace.awaitEmpty();
    }
    assertThat(resolved.outcome().orElseThrow()).isInstanceOf(ReplayOutcome.Resolved.class);
    assertThat(returned.outcome())
        .contains(new ReplayOutcome.Returned(workplace.awaitDeadLetter().id()));
    assertThat(runs.stream().filter(this::isCopy)).hasSize(2);
  }

  private boolean isCopy(Delivery<byte[]> run) {
    return run.headers().first("Contrail-Replay-Of").isPresent();
  }

  /** While healthy messages go through. */
  private void heldFor(int messages, ContrailConsumer consumer) throws Exception {
    long end = System.nanoTime() + WHILE.toNanos();
    await()
        .atMost(Workplace.SOON)
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> {
              workplace.publish("healthy");
              assertThat(workplace.consumerInfo().getRedelivered()).as("redelivered").isZero();
              return System.nanoTime() > end;
            });
    await().atMost(Workplace.SOON).until(() -> workplace.messages() == messages);
    assertThat(consumer.status().held()).isEqualTo(messages);
  }

  /** A store that takes nothing refuses like one that is away. */
  private void limitEvents(boolean closed) throws Exception {
    StreamConfiguration now =
        workplace.management.getStreamInfo(workplace.names.eventStream()).getConfiguration();
    workplace.management.updateStream(
        StreamConfiguration.builder(now).maximumMessageSize(closed ? 1 : -1).build());
  }

  @Test
  void a_step_that_cannot_be_read_holds_its_copies_and_no_others() throws Exception {
    Copies.Replay fine = copies.decide();
    DeadLetterId odd = new DeadLetterId(workplace.stream, "worker", workplace.incarnation(), 9);
    Copies.Replay unreadable = copies.new Replay(new ReplayCopy(odd, 1), fine.step);
    new JetStreamApi(workplace.connection, JetStreamOptions.defaultOptions())
        .publish(
            workplace.names.eventStream(),
            EventAddress.step(odd, 1).subject(workplace.names.prefix()),
            new io.nats.client.impl.Headers().add("Contrail-Event-Version", "2"),
            new byte[0])
        .join();
    long held = unreadable.publish("ok");
    fine.publish("ok");
    try (ContrailConsumer consumer = consumer().drainTimeout(Duration.ofMillis(200)).start()) {
      fine.awaitOutcome();
      await().atMost(Workplace.SOON).until(() -> workplace.messages() == 1);
      assertThat(consumer.status().inFlight()).isEqualTo(1);
    }
    assertThat(runs).hasSize(1);
    assertThat(workplace.management.getMessage(workplace.stream, held)).isNotNull();
  }

  @Test
  void what_no_stream_takes_and_what_is_too_large_is_known_to_be_refused() {
    CopyPublisher publisher =
        new CopyPublisher(workplace.connection, JetStreamOptions.defaultOptions());
    byte[] block = "NATS/1.0\r\nX: 1\r\n\r\n".getBytes(UTF_8);

    assertThat(publisher.publish("nobody.takes.this", block, new byte[1]).join())
        .isEqualTo(new CopyPublisher.Fate.Refused("no stream takes nobody.takes.this", true));
    assertThat(publisher.publish(workplace.subject(), block, new byte[1 << 20]).join())
        .isInstanceOf(CopyPublisher.Fate.Refused.class);
    byte[] longBlock = ("NATS/1.0\r\nX: " + "x".repeat(70_000) + "\r\n\r\n").getBytes(UTF_8);
    assertThat(publisher.publish(workplace.subject(), longBlock, new byte[1]).join())
        .isInstanceOf(CopyPublisher.Fate.Refused.class);
    assertThatThrownBy(() -> workplace.deadLetterIds()).isInstanceOf(AssertionError.class);
  }
}
