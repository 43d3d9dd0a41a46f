package dev.contrail.operations.guard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Reason;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Message;
import io.nats.client.api.RetentionPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Nobody captured what the server said: a sweep finds what is stranded. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.TestServer#binaries")
class MissedAdvisoriesTest {
  private final NatsServerBinary binary;
  private Beat beat;

  MissedAdvisoriesTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    beat = Beat.withoutCapture(binary);
  }

  @AfterEach
  void close() {
    beat.close();
  }

  @Test
  void on_a_workqueue_stream_each_has_one_dead_letter_and_none_is_stranded() throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 2);
    beat.publish("ORDERS.new", 300);
    beat.work("ORDERS", "billing", Message::nak);

    GuardStatus status = beat.guardOnce();

    assertThat(status.advisories()).isZero();
    assertThat(status.buried()).isEqualTo(300);
    assertThat(beat.stored("ORDERS")).isZero();
    assertThat(beat.letterIds()).hasSize(300);
    assertThat(beat.letters().stream().limit(1))
        .allMatch(it -> it.death().reason() == Reason.EXHAUSTED)
        .allMatch(it -> it.id().consumer().equals("billing"))
        .allMatch(it -> it.death().deliveries() == 2)
        .allMatch(it -> new String(it.message().payload(), UTF_8).startsWith("message "));
  }

  @Test
  void on_an_interest_stream_the_one_with_a_limit_gave_up() throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.Interest);
    beat.durable("ORDERS", "billing", 2);
    beat.durable("ORDERS", "audit", -1);
    beat.publish("ORDERS.new", 3);
    beat.work("ORDERS", "audit", Message::ack);
    beat.work("ORDERS", "billing", Message::nak);

    beat.guardOnce();

    assertThat(beat.letterIds()).hasSize(3).allMatch(it -> it.consumer().equals("billing"));
    assertThat(beat.stored("ORDERS")).isZero();
  }

  @Test
  void on_an_interest_stream_what_another_may_still_want_is_not_touched() throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.Interest);
    beat.durable("ORDERS", "billing", 2);
    beat.durable("ORDERS", "audit", -1);
    beat.publish("ORDERS.new", 3);
    beat.work("ORDERS", "billing", Message::nak);

    beat.guardOnce();

    assertThat(beat.letterIds()).isEmpty();
    assertThat(beat.stored("ORDERS")).isEqualTo(3);
  }

  @Test
  void where_several_may_have_given_up_there_is_one_dead_letter_of_nobody() throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.Interest);
    beat.durable("ORDERS", "billing", 2);
    beat.durable("ORDERS", "audit", 2);
    beat.publish("ORDERS.new", 3);
    beat.work("ORDERS", "audit", Message::ack);
    beat.work("ORDERS", "billing", Message::nak);

    beat.guardOnce();

    assertThat(beat.letterIds())
        .hasSize(3)
        .allMatch(it -> it.consumer().equals(DeadLetterId.ORPHAN));
    assertThat(beat.stored("ORDERS")).isZero();
  }

  @Test
  void by_default_they_are_copied_and_stay() throws Exception {
    beat.options = GuardOptions.DEFAULT;
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 1);
    beat.publish("ORDERS.new", 3);
    beat.work("ORDERS", "billing", Message::nak);

    beat.guardOnce();
    beat.guardOnce();

    assertThat(beat.letterIds()).hasSize(3);
    assertThat(beat.stored("ORDERS")).isEqualTo(3);
    // Told to release them later, it does.
    beat.options = GuardOptions.DEFAULT.withRelease(GuardOptions.Release.ALL);
    assertThat(beat.guardOnce().released()).isEqualTo(3);
    assertThat(beat.stored("ORDERS")).isZero();
    assertThat(beat.letterIds()).hasSize(3);
  }

  @Test
  void what_is_only_suspected_is_left_alone_and_counted() throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 1);
    beat.publish("ORDERS.new", 3);
    beat.work("ORDERS", "billing", Message::nak);
    beat.publish("ORDERS.new", 1);

    beat.guardOnce();

    assertThat(beat.stored("ORDERS")).isEqualTo(4);
    assertThat(beat.letterIds()).isEmpty();
    assertThat(beat.told(GuardEvent.Swept.class))
        .singleElement()
        .satisfies(it -> assertThat(it.suspected()).isEqualTo(3));
  }
}
