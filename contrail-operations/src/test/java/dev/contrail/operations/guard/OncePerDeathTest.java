package dev.contrail.operations.guard;

import static dev.contrail.operations.TestServer.NAMES;
import static dev.contrail.operations.TestServer.OPTIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.RejectedMessageException;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.Provision;
import dev.contrail.operations.replay.Decisions;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Message;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever others know of a message by now: it has one dead letter, or none if it needs none. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.TestServer#binaries")
class OncePerDeathTest extends OnABeat {
  OncePerDeathTest(NatsServerBinary binary) {
    super(binary);
  }

  @ParameterizedTest
  @EnumSource(
      value = RetentionPolicy.class,
      names = {"WorkQueue", "Interest", "Limits"})
  void what_a_worker_of_contrail_terminated_has_its_dead_letter(RetentionPolicy retention)
      throws Exception {
    beat.place.addStream("ORDERS", retention);
    beat.durable("ORDERS", "others", -1, "ORDERS.other");
    try (ContrailConsumer worker =
        Contrail.consumer(beat.place.connection, "ORDERS", "billing")
            .filter("ORDERS.new")
            .handler(
                order -> {
                  throw new RejectedMessageException("told to");
                })
            .start()) {
      beat.publish("ORDERS.new", 3);
      await().atMost(Beat.SOON).until(() -> worker.status().counts().dead() == 3);
    }
    await().atMost(Beat.SOON).until(() -> beat.advisories() == 3);

    GuardStatus status = beat.guardOnce();

    assertThat(status.advisories()).isEqualTo(3);
    assertThat(status.buried()).isZero();
    assertThat(beat.letters()).hasSize(3).allMatch(it -> it.death().reason() == Reason.REJECTED);
  }

  @Test
  void what_a_worker_of_contrail_completed_has_none() throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.Limits);
    try (ContrailConsumer worker =
        Contrail.consumer(beat.place.connection, "ORDERS", "billing")
            .handler(order -> {})
            .start()) {
      beat.publish("ORDERS.new", 1);
      await().atMost(Beat.SOON).until(() -> worker.status().counts().done() == 1);
    }
    beat.advise("ORDERS", "billing", 1, 5, Instant.now());
    beat.publish("ORDERS.new", 1);
    beat.advise("ORDERS", "billing", 2, 5, Instant.now());

    beat.guardOnce();

    assertThat(beat.letterIds()).extracting(it -> it.sequence()).containsExactly(2L);
    assertThat(beat.told(GuardEvent.LeftAlone.class))
        .singleElement()
        .satisfies(it -> assertThat(it.why()).contains("completed"));
  }

  @Test
  void what_somebody_purged_is_not_written_again() throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.options = GuardOptions.DEFAULT;
    beat.durable("ORDERS", "billing", 1);
    beat.publish("ORDERS.new", 1);
    beat.giveUp("ORDERS", "billing", Message::nak, 1);
    beat.guardOnce();
    purgeAll();

    beat.options = GuardOptions.DEFAULT.withRelease(GuardOptions.Release.ALL).withFromStart(true);
    beat.guardOnce();

    assertThat(beat.letterIds()).isEmpty();
    assertThat(beat.stored("ORDERS")).isEqualTo(1);
    assertThat(beat.told(GuardEvent.LeftAlone.class))
        .anySatisfy(it -> assertThat(it.why()).contains("purged"));
  }

  @Test
  void what_was_gone_is_written_down_once_and_not_after_a_purge() throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 5);
    beat.publish("ORDERS.new", 1);
    beat.giveUp("ORDERS", "billing", Message::term, 1);
    beat.guardOnce();
    assertThat(beat.letters())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.redacted()).as("not to be replayed as it is").isTrue();
              assertThat(it.death().reason()).isEqualTo(Reason.TERMINATED);
              assertThat(it.death().failure().message()).contains("billing terminated it");
            });
    beat.options = beat.options.withFromStart(true);
    beat.guardOnce();
    assertThat(beat.letterIds()).hasSize(1);

    purgeAll();
    beat.guardOnce();

    assertThat(beat.letterIds()).isEmpty();
  }

  @Test
  void what_a_sweep_filed_under_nobody_is_not_filed_again_under_its_consumer() throws Exception {
    beat.options = GuardOptions.DEFAULT;
    beat.place.addStream("ORDERS", RetentionPolicy.Interest);
    beat.durable("ORDERS", "billing", 2);
    beat.durable("ORDERS", "audit", 2);
    beat.publish("ORDERS.new", 1);
    beat.work("ORDERS", "audit", Message::ack);
    beat.giveUp("ORDERS", "billing", Message::nak, 1);
    beat.place.management.purgeStream(NAMES.advisoryStream());
    beat.guardOnce();
    assertThat(beat.letterIds())
        .singleElement()
        .satisfies(it -> assertThat(it.consumer()).isEqualTo(DeadLetterId.ORPHAN));

    beat.advise("ORDERS", "billing", 1, 2, Instant.now());
    beat.guardOnce();

    assertThat(beat.letterIds()).hasSize(1);
    // It is as good as one of the consumer's own: the message may go.
    beat.options = GuardOptions.DEFAULT.withRelease(GuardOptions.Release.ALL).withFromStart(true);
    assertThat(beat.guardOnce().released()).isEqualTo(1);
    assertThat(beat.stored("ORDERS")).isZero();
    assertThat(beat.letterIds()).hasSize(1);
  }

  @Test
  void a_guard_of_other_streams_does_not_call_worked_off_what_it_does_not_look_at()
      throws Exception {
    for (String stream : new String[] {"A", "B"}) {
      beat.place.addStream(stream, RetentionPolicy.Limits);
      beat.durable(stream, "billing", 1);
      beat.publish(stream + ".new", 1);
    }
    beat.giveUp("A", "billing", Message::nak, 1);
    beat.giveUp("B", "billing", Message::nak, 2);

    beat.options = GuardOptions.DEFAULT.withStreams(List.of("A"));
    beat.guardOnce();
    beat.options = GuardOptions.DEFAULT.withExclude(List.of("A"));
    beat.guardOnce();

    assertThat(beat.letterIds())
        .extracting(DeadLetterId::stream)
        .containsExactlyInAnyOrder("A", "B");
  }

  @Test
  void what_expired_unacknowledged_was_not_terminated_by_its_consumer() throws Exception {
    beat.place.management.addStream(
        StreamConfiguration.builder()
            .name("ORDERS")
            .subjects("ORDERS.>")
            .maxAge(Duration.ofSeconds(1))
            .build());
    beat.durable("ORDERS", "billing", 5, Beat.FOR_EVER);
    beat.publish("ORDERS.new", 1);
    beat.take("ORDERS", "billing", 1);
    await().atMost(Beat.SOON).until(() -> beat.advisories() == 1);

    beat.guardOnce();

    assertThat(beat.letterIds()).isEmpty();
    assertThat(beat.told(GuardEvent.LeftAlone.class))
        .singleElement()
        .satisfies(it -> assertThat(it.why()).contains("expired"));
  }

  private void purgeAll() throws Exception {
    Decisions decisions =
        new Decisions(beat.place.connection, OPTIONS, NAMES, Provision.CREATE, "ann", true);
    for (var letter : beat.letters()) {
      assertThat(decisions.discard(letter.id(), "of a test")).isEmpty();
      assertThat(decisions.purge(DeadLetterSummary.of(letter))).isEmpty();
    }
    assertThat(beat.letterIds()).isEmpty();
  }

  @Test
  void what_the_server_says_again_after_a_restart_is_done_once() throws Exception {
    beat.options = GuardOptions.DEFAULT;
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 2);
    beat.publish("ORDERS.new", 3);
    beat.giveUp("ORDERS", "billing", Message::nak, 3);
    beat.guardOnce();
    beat.place.restart();
    // The oldest says so again to the next who asks for a message.
    boolean again = binary.version().toString().startsWith("2.9");
    beat.giveUp("ORDERS", "billing", Message::nak, again ? 6 : 3);

    GuardStatus status = beat.guardOnce();

    assertThat(status.advisories()).isEqualTo(again ? 3 : 0);
    assertThat(status.buried()).isZero();
    assertThat(beat.letterIds()).hasSize(3);
    beat.options = GuardOptions.DEFAULT.withRelease(GuardOptions.Release.ALL).withFromStart(true);
    assertThat(beat.guardOnce().released()).isEqualTo(3);
    assertThat(beat.stored("ORDERS")).isZero();
    assertThat(beat.letterIds()).hasSize(3);
  }
}
