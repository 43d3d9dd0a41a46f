package dev.contrail.operations.guard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.operations.TestServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.RetentionPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What was true when the server said so is true no more: nothing that may be running is taken. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.TestServer#binaries")
class StaleAdvisoryTest extends OnABeat {
  StaleAdvisoryTest(NatsServerBinary binary) {
    super(binary);
  }

  private void exhaustOne(RetentionPolicy retention) throws Exception {
    beat.place.addStream("ORDERS", retention);
    beat.durable("ORDERS", "billing", 1);
    beat.publish("ORDERS.new", 1);
    beat.giveUp("ORDERS", "billing", Message::nak, 1);
  }

  @Test
  void a_message_that_a_consumer_made_again_is_working_on_is_not_taken() throws Exception {
    exhaustOne(RetentionPolicy.WorkQueue);
    beat.place.management.deleteConsumer("ORDERS", "billing");
    beat.durable("ORDERS", "billing", 1, Beat.FOR_EVER);
    Message running = beat.take("ORDERS", "billing", 1).get(0);

    assertThat(beat.guardOnce().waiting()).isEqualTo(1);

    assertThat(beat.stored("ORDERS")).as("still running").isEqualTo(1);
    assertThat(beat.letters()).as("it was given up on once").hasSize(1);
    assertThat(beat.told(GuardEvent.Waiting.class)).hasSize(1);
    // It fails again: nothing more will become of it, and then it goes.
    running.nak();
    beat.giveUp("ORDERS", "billing", Message::nak, 2);
    assertThat(beat.guardOnce().released()).isEqualTo(1);
    assertThat(beat.stored("ORDERS")).isZero();
    assertThat(beat.letters()).hasSize(1);
  }

  @Test
  void a_message_that_a_consumer_made_again_is_yet_to_be_given_is_not_taken() throws Exception {
    exhaustOne(RetentionPolicy.Interest);
    beat.durable("ORDERS", "audit", 1, Beat.FOR_EVER);
    beat.place.management.deleteConsumer("ORDERS", "billing");
    beat.publish("ORDERS.new", 1);
    beat.durable("ORDERS", "billing", 1, Beat.FOR_EVER);
    List<Message> running = beat.take("ORDERS", "billing", 1);

    beat.guardOnce();

    assertThat(beat.told(GuardEvent.Released.class)).isEmpty();
    running.forEach(Message::ack);
    await()
        .atMost(Beat.SOON)
        .until(
            () ->
                beat.place.management.getConsumerInfo("ORDERS", "billing").getNumAckPending() == 0);
  }

  @Test
  void what_runs_again_since_a_crash_set_the_consumer_back_is_not_taken() throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 2, Beat.FOR_EVER);
    // From now on the consumer's time of creation stays the same, whatever happens.
    beat.place.restart();
    beat.publish("ORDERS.new", 50);
    beat.giveUp("ORDERS", "billing", Message::nak, 50);
    beat.place.crash("ORDERS", "billing");
    List<Long> running = takeAll();
    assertThat(running).as("set back").hasSize(50);

    beat.guardOnce();

    assertThat(beat.told(GuardEvent.Released.class).map(it -> it.message().sequence()))
        .doesNotContainAnyElementsOf(running);
    assertThat(beat.told(GuardEvent.Waiting.class).map(it -> it.message().sequence()))
        .containsAll(running);
  }

  private List<Long> takeAll() throws Exception {
    JetStreamSubscription pull =
        beat.place
            .connection
            .jetStream()
            .subscribe(null, PullSubscribeOptions.bind("ORDERS", "billing"));
    List<Long> taken = new ArrayList<>();
    List<Message> some;
    do {
      some = pull.fetch(100, Duration.ofSeconds(1));
      some.forEach(it -> taken.add(it.metaData().streamSequence()));
    } while (!some.isEmpty());
    pull.unsubscribe();
    return taken;
  }

  @Test
  void what_runs_again_since_somebody_reset_the_consumer_is_not_taken() throws Exception {
    assumeThat(binary.version().toString()).as("knows resets").doesNotStartWith("2.9");
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 1, Beat.FOR_EVER);
    beat.publish("ORDERS.new", 2);
    beat.giveUp("ORDERS", "billing", Message::nak, 2);
    String answer =
        new String(
            beat.place
                .connection
                .request(
                    "$JS.API.CONSUMER.RESET.ORDERS.billing",
                    "{\"seq\":1}".getBytes(UTF_8),
                    Beat.SOON)
                .getData(),
            UTF_8);
    assertThat(answer).doesNotContain("\"error\"");
    List<Message> running = beat.take("ORDERS", "billing", 2);
    assertThat(running).hasSize(2);

    assertThat(beat.guardOnce().waiting()).isEqualTo(2);

    assertThat(beat.stored("ORDERS")).as("still running").isEqualTo(2);
    running.forEach(Message::ack);
    await().atMost(Beat.SOON).until(() -> beat.stored("ORDERS") == 0);
  }

  @Test
  void while_a_consumer_with_a_higher_limit_is_busy_nothing_is_taken() throws Exception {
    exhaustOne(RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 5);
    beat.publish("ORDERS.new", 1);

    assertThat(beat.guardOnce().waiting()).isEqualTo(1);
    assertThat(beat.stored("ORDERS")).isEqualTo(2);

    // As soon as it has nothing to do, what it once gave up on goes.
    beat.work("ORDERS", "billing", Message::ack);
    beat.guardOnce();
    assertThat(beat.stored("ORDERS")).isZero();
    assertThat(beat.letters()).hasSize(1);
  }

  @Test
  void those_that_wait_do_not_hold_up_others_for_ever() throws Exception {
    int many = 2_100;
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 1);
    beat.publish("ORDERS.new", many);
    beat.giveUp("ORDERS", "billing", Message::nak, many);
    beat.durable("ORDERS", "billing", 5);
    beat.publish("ORDERS.new", 1);

    assertThat(beat.guardOnce().waiting()).isEqualTo(2_000);

    assertThat(beat.letterIds()).hasSize(many);
    assertThat(
            beat.place
                .management
                .getConsumerInfo(TestServer.NAMES.advisoryStream(), "contrail-guard")
                .getNumAckPending())
        .isEqualTo(2_000);
    // A sweep finds those that no advisory is kept of.
    beat.work("ORDERS", "billing", Message::ack);
    beat.guardOnce();
    assertThat(beat.stored("ORDERS")).isZero();
    assertThat(beat.letterIds()).hasSize(many);
  }

  @Test
  void what_a_deleted_consumer_gave_up_on_stays_for_who_comes() throws Exception {
    exhaustOne(RetentionPolicy.WorkQueue);
    beat.place.management.deleteConsumer("ORDERS", "billing");

    beat.guardOnce();

    assertThat(beat.stored("ORDERS")).isEqualTo(1);
    assertThat(beat.letters()).hasSize(1);
    assertThat(beat.told(GuardEvent.LeftAlone.class)).hasSize(1);
  }

  @Test
  void what_another_consumer_takes_by_now_is_not_taken() throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 1, "ORDERS.new");
    beat.publish("ORDERS.new", 1);
    beat.giveUp("ORDERS", "billing", Message::nak, 1);
    beat.place.management.deleteConsumer("ORDERS", "billing");
    beat.durable("ORDERS", "billing", 1, "ORDERS.old");
    beat.durable("ORDERS", "other", 1, Beat.FOR_EVER, "ORDERS.new");
    beat.publish("ORDERS.old", 1);
    beat.work("ORDERS", "billing", Message::ack);
    Message running = beat.take("ORDERS", "other", 1).get(0);

    beat.guardOnce();

    assertThat(beat.stored("ORDERS")).as("still running").isEqualTo(1);
    running.ack();
  }

  @Test
  void a_stream_that_was_made_again_is_not_the_one_that_the_server_told_of() throws Exception {
    exhaustOne(RetentionPolicy.WorkQueue);
    beat.place.management.deleteStream("ORDERS");
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 1);
    beat.publish("ORDERS.new", 1);

    beat.guardOnce();

    assertThat(beat.stored("ORDERS")).isEqualTo(1);
    assertThat(beat.letters()).isEmpty();
    assertThat(beat.told(GuardEvent.LeftAlone.class).map(GuardEvent.LeftAlone::why))
        .containsExactly("its stream was made again since");
  }

  @Test
  void a_message_that_was_acked_late_has_no_dead_letter_and_that_is_said() throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 1);
    beat.publish("ORDERS.new", 1);
    List<Message> slow = beat.take("ORDERS", "billing", 1);
    beat.giveUp("ORDERS", "billing", Message::nak, 1);
    slow.forEach(Message::ack);
    await().atMost(Beat.SOON).until(() -> beat.stored("ORDERS") == 0);

    beat.guardOnce();

    assertThat(beat.letters()).isEmpty();
    assertThat(beat.told(GuardEvent.LeftAlone.class))
        .singleElement()
        .satisfies(it -> assertThat(it.why()).contains("acknowledged late"));
  }

  @Test
  void what_a_server_says_again_after_a_restart_is_done_once() throws Exception {
    exhaustOne(RetentionPolicy.WorkQueue);
    beat.options = GuardOptions.DEFAULT;
    beat.guardOnce();
    assertThat(beat.letterIds()).hasSize(1);

    beat.place.restart();
    if (!binary.version().isAtLeast(2, 11)) {
      beat.giveUp("ORDERS", "billing", Message::nak, 2);
    }
    beat.options = GuardOptions.DEFAULT.withRelease(GuardOptions.Release.ALL).withFromStart(true);
    GuardStatus status = beat.guardOnce();

    assertThat(status.advisories()).isEqualTo(beat.advisories());
    assertThat(status.released()).isEqualTo(1);
    assertThat(beat.letterIds()).hasSize(1);
    assertThat(beat.stored("ORDERS")).isZero();
  }

  @Test
  void said_again_it_is_done_once() throws Exception {
    exhaustOne(RetentionPolicy.Limits);
    for (int i = 0; i < 20; i++) {
      beat.advise("ORDERS", "billing", 1, 1, Instant.now());
    }

    GuardStatus status = beat.guardOnce();

    assertThat(status.advisories()).isEqualTo(21);
    assertThat(status.buried()).isEqualTo(1);
    assertThat(beat.letters()).hasSize(1);
  }
}
