package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.Header;
import dev.contrail.event.CopyPlace;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Fact;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose turn it is among copies of one replay, while their workers' clocks go as a test says. */
@OnEveryServer
class CopyJudgeTest {
  private static final Duration LONGEST_RUN = Duration.ofMinutes(10);
  private static final Duration HOUR = Duration.ofHours(1);

  /** For how long a server may not know what the others have stored. */
  private static final Duration LAGS = Duration.ofSeconds(20);

  private static final CopyVerdict HELD = CopyVerdict.Held.HELD;

  private final NatsServerBinary binary;
  private final Hands time = new Hands();
  private Optional<Instant> serverTime = Optional.of(Instant.now());
  private Workplace workplace;
  private Copies copies;
  private Copies.Replay replay;
  private long first;
  private long second;

  CopyJudgeTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  /** Two copies; the first had its turn and is gone. */
  @BeforeEach
  void open() throws Exception {
    workplace = Workplace.on(Servers.shared(binary), RetentionPolicy.Limits);
    copies = Copies.on(workplace, RetentionPolicy.Limits);
    replay = copies.decide();
    first = replay.publish("ok");
    second = replay.publishOutsideOfWindow("ok");
    assertRuns(judge(time), first);
    delete(first);
  }

  @AfterEach
  void close() {
    workplace.close();
  }

  // Steps that are not found.

  @Test
  void a_copy_whose_step_a_lagging_server_does_not_know_is_held_until_it_does() {
    Copies.Replay late = copies.undecided(5);
    long sequence = late.publish("ok");
    CopyJudge worker = judge(time);
    CopyJudge mail = judge("mail", time);

    for (Duration since = Duration.ZERO; since.compareTo(LAGS) < 0; since = since.plusSeconds(4)) {
      assertThat(verdict(worker, late, sequence)).as("after " + since).isEqualTo(HELD);
      assertThat(verdict(mail, late, sequence)).as("after " + since).isEqualTo(HELD);
      time.pass(Duration.ofSeconds(4));
    }
    late.decide();
    assertThat(verdict(worker, late, sequence)).isInstanceOf(CopyVerdict.MayRun.class);
    assertThat(verdict(mail, late, sequence)).isEqualTo(CopyVerdict.Settled.SETTLED);
  }

  @Test
  void one_whose_step_is_not_found_for_longer_than_a_server_lags_is_like_any_other_message() {
    Copies.Replay forged = copies.undecided(5);
    long sequence = forged.publish("ok");
    CopyJudge worker = judge(time);
    assertThat(verdict(worker, forged, sequence)).isEqualTo(HELD);
    time.pass(LAGS);
    assertThat(verdict(worker, forged, sequence)).isEqualTo(CopyVerdict.Ordinary.ORDINARY);

    assertThat(verdict(worker, forged, sequence + 1))
        .as("the next one with these headers")
        .isEqualTo(CopyVerdict.Ordinary.ORDINARY);
    assertThat(verdict(worker, copies.undecided(6), sequence + 2))
        .as("one with others")
        .isEqualTo(HELD);
  }

  @Test
  void that_a_copy_died_whose_step_is_not_found_is_not_taken_for_told() {
    Copies.Replay late = copies.undecided(5);
    long sequence = late.publish("ok");
    DeadLetterId as =
        new DeadLetterId(workplace.stream, "worker", workplace.incarnation(), sequence);
    CopyJudge worker = judge(time);

    assertThat(worker.returned(delivered(late, sequence), as))
        .failsWithin(Workplace.SOON)
        .withThrowableThat()
        .withMessageContaining("the event that decided on its replay is not found");
    late.decide();
    assertThat(worker.returned(delivered(late, sequence), as)).succeedsWithin(Workplace.SOON);
    assertThat(late.outcome()).contains(new ReplayOutcome.Returned(as));
  }

  @Test
  void that_a_message_with_forged_headers_died_is_told_to_nobody() {
    Copies.Replay forged = copies.undecided(5);
    long sequence = forged.publish("ok");
    DeadLetterId as =
        new DeadLetterId(workplace.stream, "worker", workplace.incarnation(), sequence);
    CopyJudge worker = judge(time);
    assertThat(verdict(worker, forged, sequence)).isEqualTo(HELD);
    time.pass(LAGS);

    assertThat(worker.returned(delivered(forged, sequence), as)).succeedsWithin(Workplace.SOON);
    assertThat(forged.outcome()).isEmpty();
  }

  // Copies that are both gone.

  @Test
  void two_copies_that_are_both_gone_do_not_take_the_turn_from_each_other_again_and_again()
      throws Exception {
    CopyJudge one = judge(time);
    CopyJudge other = judge(time);
    assertHeld(other, second);
    delete(second);

    for (int i = 0; i < 5; i++) {
      assertHeld(one, first);
      assertHeld(other, second);
    }
    assertThat(hasTurn(3)).as("a third turn is claimed").isFalse();
    time.pass(LONGEST_RUN);
    assertHeld(one, first);
    assertRuns(other, second);
  }

  @Test
  void one_whose_turn_was_passed_on_has_another_when_whoever_had_it_then_must_have_ended_too()
      throws Exception {
    CopyJudge one = judge(time);
    assertHeld(judge(time), second);
    delete(second);
    assertHeld(one, first);

    time.pass(LONGEST_RUN.multipliedBy(2));
    assertHeld(one, first);
    assertThat(hasTurn(3)).isTrue();
    time.pass(LONGEST_RUN);
    assertRuns(one, first);
  }

  private boolean hasTurn(int turn) {
    return replay.event(EventAddress.run(replay.entry(), 1, turn)).isPresent();
  }

  // Since when a turn is waited for.

  @Test
  void a_turn_of_a_worker_that_was_frozen_before_it_was_stored_counts_from_when_it_was_stored() {
    Fact.Run run =
        new Fact.Run(new CopyPlace(workplace.stream, workplace.incarnation(), second), "worker");
    Instant frozen = Instant.now().minus(HOUR);
    EventAddress address = EventAddress.run(replay.entry(), 1, 2);
    copies.events.create(new Event(address, frozen, "7@host", run)).join();

    assertHeld(judge(time), second);
  }

  @Test
  void a_turn_of_a_worker_whose_clock_is_behind_counts_from_when_it_was_stored() {
    assertHeld(judge(new Hands(HOUR.negated())), second);
    assertHeld(judge(time), second);
  }

  @Test
  void a_worker_whose_clock_is_ahead_of_the_servers_waits_as_long_when_it_is_started_again() {
    assertHeld(judge(new Hands(HOUR)), second);
    assertHeld(judge(new Hands(HOUR)), second);
  }

  @Test
  void a_turn_of_another_worker_is_not_due_earlier_for_one_whose_clock_is_ahead() {
    assertHeld(judge(time), second);
    assertHeld(judge(new Hands(HOUR)), second);
  }

  @Test
  void a_worker_that_is_started_again_and_again_waits_no_longer() {
    assertHeld(judge(time), second);
    pass(LONGEST_RUN);
    assertHeld(judge(time), second);
    pass(HOUR);
    assertRuns(judge(time), second);
  }

  @Test
  void where_the_server_does_not_tell_its_time_a_worker_waits_since_it_knows_of_the_turn() {
    serverTime = Optional.empty();
    CopyJudge worker = judge(time);
    assertHeld(worker, second);
    time.pass(HOUR);
    assertHeld(judge(time), second);
    assertRuns(worker, second);
  }

  @Test
  void every_server_tells_its_time_to_whoever_was_given_a_message() throws Exception {
    Instant before = Instant.now();
    try (ContrailConsumer consumer = workplace.consumer().handler(delivery -> {}).start()) {
      workplace.publish("ok");
      await().atMost(Workplace.SOON).until(() -> consumer.status().counts().done() > 0);
    }
    assertThat(
            new JetStreamApi(workplace.connection, JetStreamOptions.defaultOptions())
                .time(workplace.stream, "worker")
                .join())
        .hasValueSatisfying(it -> assertThat(it).isBetween(before, Instant.now()));
    assertThat(
            new JetStreamApi(workplace.connection, JetStreamOptions.defaultOptions())
                .time(workplace.stream, "nobody")
                .join())
        .isEmpty();
  }

  private void delete(long sequence) throws Exception {
    workplace.management.deleteMessage(workplace.stream, sequence, false);
  }

  private void pass(Duration passes) {
    time.pass(passes);
    serverTime = serverTime.map(it -> it.plus(passes));
  }

  private CopyJudge judge(Surroundings surroundings) {
    return judge("worker", surroundings);
  }

  private CopyJudge judge(String consumer, Surroundings surroundings) {
    return new CopyJudge(
        copies.events,
        new JetStreamApi(workplace.connection, JetStreamOptions.defaultOptions()) {
          @Override
          CompletableFuture<Optional<Instant>> time(String stream, String of) {
            return CompletableFuture.completedFuture(serverTime);
          }
        },
        new ConsumerIdentity(workplace.stream, consumer, workplace.incarnation()),
        "7@host",
        surroundings,
        LONGEST_RUN);
  }

  private void assertRuns(CopyJudge judge, long sequence) {
    assertThat(verdict(judge, sequence)).isInstanceOf(CopyVerdict.MayRun.class);
  }

  private void assertHeld(CopyJudge judge, long sequence) {
    assertThat(verdict(judge, sequence)).isEqualTo(HELD);
  }

  private CopyVerdict verdict(CopyJudge judge, long sequence) {
    return verdict(judge, replay, sequence);
  }

  private CopyVerdict verdict(CopyJudge judge, Copies.Replay of, long sequence) {
    return judge.judge(delivered(of, sequence), sequence).join();
  }

  private Delivered delivered(Copies.Replay of, long sequence) {
    Headers headers = new Headers();
    for (Header line : dev.contrail.Headers.parse(of.copy.headerBlock(of.step, new byte[0]))) {
      headers.add(line.name(), line.value());
    }
    NatsMessage message =
        NatsMessage.builder()
            .subject(workplace.subject())
            .headers(headers)
            .data("ok".getBytes(UTF_8))
            .build();
    String replyTo = "$JS.ACK." + workplace.stream + ".worker.1." + sequence + ".1.1.0";
    return new ClientDelivered(message, replyTo, 0);
  }

  /** Clocks that are moved on by hand, and the threads of the JVM. */
  private static final class Hands implements Surroundings {
    private final Instant began = Instant.now();
    private final Duration wrongBy;
    private Duration passed = Duration.ZERO;

    Hands() {
      this(Duration.ZERO);
    }

    /** With a wall clock that is ahead by so much. */
    Hands(Duration wrongBy) {
      this.wrongBy = wrongBy;
    }

    void pass(Duration time) {
      passed = passed.plus(time);
    }

    @Override
    public long nanoTime() {
      return passed.toNanos();
    }

    @Override
    public Clock clock() {
      return Clock.fixed(began.plus(passed).plus(wrongBy), ZoneOffset.UTC);
    }

    @Override
    public Executor background() {
      return Surroundings.jvm().background();
    }

    @Override
    public Executor background(Duration delay) {
      return Surroundings.jvm().background(delay);
    }

    @Override
    public void start(String thread, Runnable task) {
      Surroundings.jvm().start(thread, task);
    }

    @Override
    public Timer timer(String thread) {
      return Surroundings.jvm().timer(thread);
    }

    @Override
    public RandomGenerator random() {
      return Surroundings.jvm().random();
    }
  }
}
