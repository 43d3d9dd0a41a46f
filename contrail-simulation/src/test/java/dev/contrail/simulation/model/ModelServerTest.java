package dev.contrail.simulation.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.simulation.model.StreamSettings.Discard;
import dev.contrail.simulation.model.StreamSettings.Retention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One promise of JetStream each; {@link DifferentialTest} holds the model to all the rest. */
class ModelServerTest {
  private static final Duration WAIT = Duration.ofSeconds(30);

  private ModelServer server = new ModelServer(ModelVersion.V2_15_1, 0);

  private void with(ModelVersion version, Retention retention) {
    server = new ModelServer(version, 0);
    server.createStream(StreamSettings.of("S", "o.>").withRetention(retention)).orElseThrow();
    server.createConsumer("S", ConsumerSettings.of("c")).orElseThrow();
  }

  private void pass(Duration time) {
    server.advanceTo(server.now() + time.toNanos());
  }

  private Answer<PublishAck> publish(String subject) {
    return server.publish(Publication.of(subject, "text"));
  }

  private List<ModelDelivery> pull() {
    return server.pull("S", "c", 10).orElseThrow();
  }

  private void say(ModelDelivery delivery, Acknowledgement acknowledgement) {
    assertThat(server.acknowledge(delivery.reply(), acknowledgement))
        .isEqualTo(AckAnswer.CONFIRMED);
  }

  private static List<Long> counts(List<ModelDelivery> deliveries) {
    return deliveries.stream().map(delivery -> delivery.reply().deliveries()).toList();
  }

  @Test
  void a_subject_that_no_stream_takes_has_no_responders() {
    assertThat(publish("o.a")).isEqualTo(Answer.noResponders());
  }

  @ParameterizedTest
  @EnumSource
  void create_once_is_refused_the_second_time_and_possible_again_after_a_purge(
      ModelVersion version) {
    with(version, Retention.LIMITS);
    Publication once = Publication.of("o.a", "text").expectingLast(0);
    assertThat(server.publish(once).orElseThrow().sequence()).isEqualTo(1);
    assertThat(server.publish(once)).isEqualTo(Answer.refused(ApiError.WRONG_LAST_SEQUENCE));
    server.purge("S", Purge.subject("o.a")).orElseThrow();
    assertThat(server.publish(once).orElseThrow().sequence()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void a_message_id_is_remembered_for_the_duplicate_window(ModelVersion version) {
    with(version, Retention.LIMITS);
    Publication message = Publication.of("o.a", "text").withMessageId("id");
    server.publish(message);
    pass(Duration.ofSeconds(119));
    assertThat(server.publish(message).orElseThrow()).isEqualTo(new PublishAck("S", 1, true));
    pass(Duration.ofSeconds(2));
    assertThat(server.publish(message).orElseThrow()).isEqualTo(new PublishAck("S", 2, false));
  }

  @ParameterizedTest
  @EnumSource
  void what_is_not_acked_comes_again_on_a_pull_however_late(ModelVersion version) {
    with(version, Retention.WORKQUEUE);
    publish("o.a");
    assertThat(counts(pull())).containsExactly(1L);
    pass(WAIT.minusSeconds(1));
    assertThat(pull()).isEmpty();
    pass(Duration.ofHours(5));
    assertThat(counts(pull())).containsExactly(2L);
  }

  @ParameterizedTest
  @EnumSource
  void a_nak_brings_it_back_at_once_and_a_delayed_one_after_its_delay(ModelVersion version) {
    with(version, Retention.WORKQUEUE);
    publish("o.a");
    say(pull().get(0), Acknowledgement.nak());
    List<ModelDelivery> second = pull();
    assertThat(counts(second)).containsExactly(2L);
    say(second.get(0), Acknowledgement.nak(Duration.ofMinutes(5)));
    pass(Duration.ofMinutes(4));
    assertThat(pull()).isEmpty();
    pass(Duration.ofMinutes(1));
    assertThat(counts(pull())).containsExactly(3L);
  }

  @ParameterizedTest
  @EnumSource
  void in_progress_holds_it(ModelVersion version) {
    with(version, Retention.WORKQUEUE);
    publish("o.a");
    ModelDelivery delivery = pull().get(0);
    for (int i = 0; i < 10; i++) {
      pass(WAIT.minusSeconds(1));
      say(delivery, Acknowledgement.inProgress());
    }
    assertThat(pull()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void an_ack_or_a_term_removes_it_from_a_workqueue_and_not_from_a_limits_stream(
      ModelVersion version) {
    for (Acknowledgement end : List.of(Acknowledgement.ack(), Acknowledgement.term())) {
      with(version, Retention.WORKQUEUE);
      publish("o.a");
      say(pull().get(0), end);
      assertThat(server.message("S", 1)).isEqualTo(Answer.refused(ApiError.MESSAGE_NOT_FOUND));
      with(version, Retention.LIMITS);
      publish("o.a");
      say(pull().get(0), end);
      assertThat(server.message("S", 1).orElseThrow().sequence()).isEqualTo(1);
      pass(Duration.ofHours(1));
      assertThat(pull()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_stale_ack_cancels_the_delivery_of_the_next_holder(ModelVersion version) {
    with(version, Retention.WORKQUEUE);
    publish("o.a");
    ModelDelivery first = pull().get(0);
    pass(WAIT);
    assertThat(counts(pull())).containsExactly(2L);
    say(first, Acknowledgement.ack());
    pass(Duration.ofHours(1));
    assertThat(pull()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void a_stale_nak_redelivers_under_the_feet_of_the_next_holder(ModelVersion version) {
    with(version, Retention.WORKQUEUE);
    publish("o.a");
    ModelDelivery first = pull().get(0);
    pass(WAIT);
    assertThat(counts(pull())).containsExactly(2L);
    say(first, Acknowledgement.nak());
    assertThat(counts(pull())).containsExactly(3L);
  }

  @ParameterizedTest
  @EnumSource
  void at_the_limit_it_is_given_up_with_an_advisory_and_stays_stored(ModelVersion version) {
    with(version, Retention.WORKQUEUE);
    server.createConsumer("S", ConsumerSettings.of("c").withMaxDeliver(2)).orElseThrow();
    List<String> advisories = new ArrayList<>();
    server.onAdvisory(advisory -> advisories.add(advisory.subject() + advisory.payload()));
    publish("o.a");
    say(pull().get(0), Acknowledgement.nak());
    ModelDelivery last = pull().get(0);
    say(last, Acknowledgement.nak());
    assertThat(pull()).isEmpty();
    assertThat(advisories)
        .singleElement()
        .asString()
        .startsWith("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.S.c")
        .contains("\"stream_seq\":1,\"deliveries\":2");
    assertThat(server.streamInfo("S").orElseThrow().messages()).isEqualTo(1);
    AckSubject made = new AckSubject("S", "c", 2, 1, 9, 0, 0);
    server.acknowledge(made, Acknowledgement.ack());
    assertThat(server.streamInfo("S").orElseThrow().messages()).isZero();
  }

  @Test
  void a_stream_captures_advisories() {
    with(ModelVersion.V2_15_1, Retention.WORKQUEUE);
    server.createStream(StreamSettings.of("ADV", "$JS.EVENT.ADVISORY.CONSUMER.>")).orElseThrow();
    publish("o.a");
    say(pull().get(0), Acknowledgement.term("no use"));
    assertThat(server.message("ADV", 1).orElseThrow().payload().text())
        .contains("\"reason\":\"no use\"");
  }

  @ParameterizedTest
  @EnumSource
  void an_interest_stream_keeps_a_message_until_every_consumer_that_takes_it_acked(
      ModelVersion version) {
    with(version, Retention.INTEREST);
    server.createConsumer("S", ConsumerSettings.of("d", "o.b")).orElseThrow();
    publish("o.a");
    publish("o.b");
    pull().forEach(delivery -> say(delivery, Acknowledgement.ack()));
    assertThat(server.subjects("S", ">").orElseThrow()).isEqualTo(Map.of("o.b", 1L));
    server.deleteConsumer("S", "d").orElseThrow();
    assertThat(server.streamInfo("S").orElseThrow().messages()).isZero();
    server.deleteConsumer("S", "c").orElseThrow();
    assertThat(publish("o.a").orElseThrow().sequence()).isEqualTo(3);
    assertThat(server.streamInfo("S").orElseThrow().messages()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void a_workqueue_has_one_consumer_for_each_message(ModelVersion version) {
    with(version, Retention.WORKQUEUE);
    assertThat(server.createConsumer("S", ConsumerSettings.of("d")))
        .isEqualTo(Answer.refused(ApiError.CONSUMER_NOT_UNIQUE));
    assertThat(server.createConsumer("S", ConsumerSettings.of("d", "o.a")))
        .isEqualTo(Answer.refused(ApiError.CONSUMER_FILTERS_OVERLAP));
  }

  @ParameterizedTest
  @EnumSource
  void a_full_stream_refuses_or_forgets(ModelVersion version) {
    for (Discard discard : Discard.values()) {
      server = new ModelServer(version, 0);
      server
          .createStream(StreamSettings.of("S", "o.>").withMaxMessages(1).withDiscard(discard))
          .orElseThrow();
      publish("o.a");
      Answer<PublishAck> second = publish("o.b");
      assertThat(second)
          .isEqualTo(
              discard == Discard.NEW
                  ? Answer.refused(ApiError.STORE_FAILED)
                  : Answer.ok(new PublishAck("S", 2, false)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_bucket_keeps_the_last_values_until_they_are_too_old(ModelVersion version) {
    server = new ModelServer(version, 0);
    server.createStream(StreamSettings.bucket("B", 1, Duration.ofSeconds(10))).orElseThrow();
    server.publish(Publication.of("$KV.B.key", "one"));
    server.publish(Publication.of("$KV.B.key", "two"));
    assertThat(server.lastMessage("KV_B", "$KV.B.key").orElseThrow().payload().text())
        .isEqualTo("two");
    assertThat(server.streamInfo("KV_B").orElseThrow().messages()).isEqualTo(1);
    pass(Duration.ofSeconds(10));
    assertThat(server.lastMessage("KV_B", "$KV.B.key"))
        .isEqualTo(Answer.refused(ApiError.MESSAGE_NOT_FOUND));
  }

  @ParameterizedTest
  @EnumSource
  void max_ack_pending_stops_new_messages_and_not_redeliveries(ModelVersion version) {
    with(version, Retention.LIMITS);
    server.createConsumer("S", ConsumerSettings.of("c").withMaxAckPending(1)).orElseThrow();
    publish("o.a");
    publish("o.b");
    assertThat(pull()).hasSize(1);
    assertThat(pull()).isEmpty();
    pass(WAIT);
    assertThat(counts(pull())).containsExactly(2L);
  }

  @ParameterizedTest
  @EnumSource
  void a_crash_forgets_acks_since_the_last_flush_and_delivers_as_if_for_the_first_time(
      ModelVersion version) {
    with(version, Retention.LIMITS);
    publish("o.a");
    publish("o.b");
    say(pull().get(0), Acknowledgement.ack());
    server.flush();
    pass(WAIT);
    pull().forEach(delivery -> say(delivery, Acknowledgement.ack()));
    publish("o.c");
    pull().forEach(delivery -> say(delivery, Acknowledgement.ack()));
    assertThat(server.consumerInfo("S", "c").orElseThrow().ackFloorStream()).isEqualTo(3);
    server.crash();
    assertThat(server.consumerInfo("S", "c").orElseThrow().ackFloorStream()).isEqualTo(1);
    List<ModelDelivery> again = pull();
    assertThat(again).extracting(delivery -> delivery.message().sequence()).contains(3L);
    assertThat(counts(again)).contains(1L);
  }

  @ParameterizedTest
  @EnumSource
  void a_crash_brings_back_nothing_that_a_workqueue_removed(ModelVersion version) {
    with(version, Retention.WORKQUEUE);
    publish("o.a");
    say(pull().get(0), Acknowledgement.ack());
    server.crash();
    pass(Duration.ofHours(1));
    assertThat(pull()).isEmpty();
  }

  @Test
  void on_old_servers_a_purge_of_one_subject_makes_consumers_miss_others() {
    with(ModelVersion.V2_9_10, Retention.LIMITS);
    publish("o.a");
    publish("o.b");
    server.purge("S", Purge.subject("o.a")).orElseThrow();
    assertThat(pull()).isEmpty();
    with(ModelVersion.V2_15_1, Retention.LIMITS);
    publish("o.a");
    publish("o.b");
    server.purge("S", Purge.subject("o.a")).orElseThrow();
    assertThat(pull()).hasSize(1);
  }

  @Test
  void a_stream_made_again_begins_anew_at_another_time() {
    with(ModelVersion.V2_15_1, Retention.LIMITS);
    publish("o.a");
    long created = server.streamInfo("S").orElseThrow().createdNanos();
    pass(Duration.ofSeconds(1));
    server.deleteStream("S").orElseThrow();
    assertThat(publish("o.a")).isEqualTo(Answer.noResponders());
    server.createStream(StreamSettings.of("S", "o.>")).orElseThrow();
    assertThat(publish("o.a").orElseThrow().sequence()).isEqualTo(1);
    assertThat(server.streamInfo("S").orElseThrow().createdNanos()).isGreaterThan(created);
    assertThat(server.consumerInfo("S", "c"))
        .isEqualTo(Answer.refused(ApiError.CONSUMER_NOT_FOUND));
  }

  @Test
  void the_same_calls_give_the_same_answers() {
    for (long seed = 0; seed < 50; seed++) {
      Script script = ScriptGenerator.script(seed);
      assertThat(ModelSide.run(script, ModelVersion.V2_15_1))
          .isEqualTo(ModelSide.run(script, ModelVersion.V2_15_1));
    }
  }
}
