package dev.contrail.operations.guard;

import static dev.contrail.operations.TestServer.NAMES;
import static dev.contrail.operations.TestServer.OPTIONS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.Reason;
import dev.contrail.operations.stranded.GuardedMessage;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Message;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.Source;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.TestServer#binaries")
class GuardTest extends OnABeat {
  GuardTest(NatsServerBinary binary) {
    super(binary);
  }

  /** How a consumer fails to process a message. */
  enum Habit {
    NAK,
    DELAYED_NAK,
    SILENCE,
    TERM;

    void settle(Message message) {
      switch (this) {
        case NAK -> message.nak();
        case DELAYED_NAK -> message.nakWithDelay(Duration.ofMillis(50));
        case TERM -> message.term();
        case SILENCE -> {}
      }
    }

    Reason reason() {
      return this == TERM ? Reason.TERMINATED : Reason.EXHAUSTED;
    }
  }

  @ParameterizedTest
  @EnumSource(Habit.class)
  void on_a_workqueue_stream_each_ends_as_one_dead_letter_and_is_gone(Habit habit)
      throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 2, "ORDERS.new");
    beat.publish("ORDERS.new", 3);
    beat.giveUp("ORDERS", "billing", habit::settle, 3);

    GuardStatus status = beat.guardOnce();

    assertThat(beat.letters()).hasSize(3).allMatch(it -> it.death().reason() == habit.reason());
    assertThat(beat.stored("ORDERS")).isZero();
    assertThat(status.buried()).isEqualTo(3);
    assertThat(status.failures()).isZero();
    if (habit == Habit.TERM) {
      assertThat(beat.letters()).allMatch(DeadLetter::redacted);
      assertThat(beat.letters()).allMatch(it -> it.message().subject().equals("ORDERS.new"));
    } else {
      assertThat(beat.letters().stream().map(it -> new String(it.message().payload(), UTF_8)))
          .containsExactlyInAnyOrder("message 0", "message 1", "message 2");
      assertThat(status.released()).isEqualTo(3);
    }
    beat.guardOnce();
    assertThat(beat.letters()).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource(Habit.class)
  void on_an_interest_stream_others_still_get_theirs(Habit habit) throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.Interest);
    beat.durable("ORDERS", "billing", 2);
    beat.durable("ORDERS", "audit", 2);
    beat.publish("ORDERS.new", 3);
    beat.giveUp("ORDERS", "billing", habit::settle, 3);

    beat.guardOnce();

    assertThat(beat.letters())
        .hasSize(3)
        .allMatch(it -> it.death().reason() == habit.reason())
        .allMatch(it -> it.id().consumer().equals("billing"))
        .noneMatch(DeadLetter::redacted);
    assertThat(beat.stored("ORDERS")).as("wanted by another").isEqualTo(3);
    beat.work("ORDERS", "audit", Message::ack);
    assertThat(beat.stored("ORDERS")).as("released for the one that gave up").isZero();
  }

  @ParameterizedTest
  @EnumSource(Habit.class)
  void on_a_limits_stream_they_stay_and_have_one_dead_letter(Habit habit) throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.Limits);
    beat.durable("ORDERS", "billing", 2);
    beat.publish("ORDERS.new", 3);
    beat.giveUp("ORDERS", "billing", habit::settle, 3);

    GuardStatus status = beat.guardOnce();

    assertThat(beat.letters())
        .hasSize(3)
        .allMatch(it -> it.death().reason() == habit.reason())
        .noneMatch(DeadLetter::redacted);
    assertThat(beat.stored("ORDERS")).isEqualTo(3);
    assertThat(status.released()).isZero();
  }

  @Test
  void a_rehearsal_that_is_told_to_stop_goes_no_further() throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 1);
    beat.publish("ORDERS.new", 2);
    beat.giveUp("ORDERS", "billing", Message::nak, 2);

    GuardStatus status =
        Guard.rehearse(
            beat.place.connection, OPTIONS, NAMES, beat.options, beat.told::add, () -> true);

    assertThat(status.advisories()).isZero();
    assertThat(beat.told(GuardEvent.WouldBury.class)).isEmpty();
  }

  @Test
  void what_another_stream_copies_is_left_to_it() throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 1);
    beat.publish("ORDERS.new", 2);
    beat.giveUp("ORDERS", "billing", Message::nak, 2);
    // It has not come to them.
    beat.place.management.addStream(
        StreamConfiguration.builder()
            .name("ARCHIVE")
            .sources(
                Source.builder()
                    .name("ORDERS")
                    .startTime(ZonedDateTime.now(ZoneOffset.UTC).plusDays(1))
                    .build())
            .build());

    GuardStatus status = beat.guardOnce();

    assertThat(status.released()).isZero();
    assertThat(beat.stored("ORDERS")).isEqualTo(2);
    assertThat(beat.letters()).hasSize(2);
    assertThat(beat.told(GuardEvent.LeftAlone.class))
        .isNotEmpty()
        .allSatisfy(it -> assertThat(it.why()).contains("stream ARCHIVE copies its subject"));
  }

  @Test
  void a_stream_that_allows_no_deletions_is_copied_from_and_that_is_said_once() throws Exception {
    beat.place.management.addStream(
        StreamConfiguration.builder()
            .name("ORDERS")
            .subjects("ORDERS.>")
            .retentionPolicy(RetentionPolicy.WorkQueue)
            .denyDelete(true)
            .build());
    beat.durable("ORDERS", "billing", 1);
    beat.publish("ORDERS.new", 2);
    beat.giveUp("ORDERS", "billing", Message::nak, 2);

    GuardStatus status = beat.guardOnce();

    assertThat(beat.letters()).hasSize(2);
    assertThat(beat.stored("ORDERS")).isEqualTo(2);
    assertThat(status.failures()).as("nothing to be tried again").isZero();
    assertThat(beat.told(GuardEvent.LeftAlone.class).map(GuardEvent.LeftAlone::sentence))
        .as("by its advisory or the sweep")
        .containsExactlyInAnyOrder(leftAlone(1), leftAlone(2));
  }

  private static String leftAlone(long sequence) {
    return "Left alone "
        + new GuardedMessage("ORDERS", "billing", sequence)
        + ": its stream allows no deletions (deny_delete, or sealed).";
  }

  @Test
  void by_default_it_copies_and_takes_nothing_and_says_what_it_would() throws Exception {
    beat.options = GuardOptions.DEFAULT;
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 1);
    beat.publish("ORDERS.new", 2);
    beat.giveUp("ORDERS", "billing", Message::nak, 2);

    beat.guardOnce();

    assertThat(beat.letters()).hasSize(2);
    assertThat(beat.stored("ORDERS")).isEqualTo(2);
    assertThat(beat.told(GuardEvent.WouldRelease.class))
        .extracting(it -> it.message().sequence())
        .contains(1L, 2L);
    assertThat(beat.told(GuardEvent.Started.class))
        .containsExactly(new GuardEvent.Started(List.of("ORDERS"), List.of()));
  }
}
