package dev.contrail.operations.stranded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.jetstream.StreamMessages.Found;
import dev.contrail.operations.stranded.Stranding.Certain;
import dev.contrail.operations.stranded.Stranding.Suspected;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Message;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.Source;
import io.nats.client.api.StreamConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.stranded.Quay#servers")
class StrandedMessagesTest {
  private final NatsServerBinary binary;

  StrandedMessagesTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @Test
  void what_a_workqueue_consumer_gave_up_on_is_certain_and_can_be_listed() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("a", 2, "a.*");
      quay.durable("b", 2, "b.*");
      quay.publish("a.x", 3);
      quay.publish("b.x", 2);
      quay.publish("nobody", 2);
      quay.giveUp("a");
      quay.ackAll("b");

      Certain found = theOnly(quay);
      assertThat(found.subject()).isEqualTo(quay.subject("a.x"));
      assertThat(found.count()).isEqualTo(3);
      assertThat(found.givenUpBy()).contains("a");
      assertThat(sequences(quay, found)).containsExactly(1L, 2L, 3L);
      assertThat(found.holds(quay.stranded().consumers(quay.stream))).isTrue();
    }
  }

  @Test
  void a_backlog_that_waits_for_a_stopped_consumer_is_not_stranded() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("a", 2);
      quay.publish("x", 5);
      assertThat(quay.look()).isEmpty();
      // Given out, and not acked when its reader stopped.
      assertThat(quay.take("a", 5)).hasSize(5);
      assertThat(quay.look()).isEmpty();
    }
  }

  @Test
  void what_is_in_flight_hides_which_messages_are_stranded_but_not_that_some_are()
      throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("a", 1);
      quay.publish("x", 2);
      quay.giveUp("a");
      quay.publish("x", 3);
      assertThat(quay.take("a", 2)).hasSize(2);

      assertThat(quay.look())
          .singleElement()
          .isInstanceOfSatisfying(Suspected.class, it -> assertThat(it.count()).isEqualTo(2));
    }
  }

  @Test
  void what_comes_after_the_look_is_not_listed_and_a_consumer_made_again_ends_it()
      throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("a", 1);
      quay.publish("x", 2);
      quay.giveUp("a");
      Certain found = theOnly(quay);

      quay.publish("x", 1);
      assertThat(sequences(quay, found)).containsExactly(1L, 2L);
      quay.giveUp("a");
      assertThat(found.holds(quay.stranded().consumers(quay.stream))).isTrue();

      quay.management.deleteConsumer(quay.stream, "a");
      quay.durable("a", 1);
      assertThat(found.holds(quay.stranded().consumers(quay.stream))).isFalse();
    }
  }

  @Test
  void on_an_interest_stream_nobody_is_accused_who_may_have_acked() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.Interest)) {
      quay.durable("patient", -1);
      quay.durable("strict", 2);
      quay.publish("x", 2);
      quay.giveUp("strict");
      // Still wanted, also by the numbers.
      assertThat(quay.look()).isEmpty();
    }
  }

  @Test
  void on_an_interest_stream_the_only_one_who_can_have_given_up_is_named() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.Interest)) {
      quay.durable("patient", -1);
      quay.durable("strict", 2);
      quay.publish("x", 2);
      quay.ackAll("patient");
      quay.giveUp("strict");

      Certain found = theOnly(quay);
      assertThat(found.count()).isEqualTo(2);
      assertThat(found.givenUpBy()).contains("strict");
    }
  }

  @Test
  void on_an_interest_stream_of_two_with_limits_none_is_named() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.Interest)) {
      quay.durable("first", 2);
      quay.durable("second", 2);
      quay.publish("x", 2);
      quay.ackAll("first");
      quay.giveUp("second");

      Certain found = theOnly(quay);
      assertThat(found.givenUpBy()).isEmpty();
      assertThat(found.why()).contains("one of the consumers first, second");
    }
  }

  @Test
  void a_consumer_that_came_later_and_wants_all_ends_it() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.Interest)) {
      quay.durable("strict", 1);
      quay.publish("x", 2);
      quay.giveUp("strict");
      Certain found = theOnly(quay);

      quay.make("late", it -> it.deliverPolicy(DeliverPolicy.All));
      assertThat(found.holds(quay.stranded().consumers(quay.stream))).isFalse();
      assertThat(quay.look()).isEmpty();
    }
  }

  @Test
  void a_consumer_that_wants_only_what_is_new_does_not_keep_older_ones() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.Interest)) {
      quay.durable("strict", 1);
      quay.publish("x", 2);
      quay.giveUp("strict");
      quay.make("late", it -> it.deliverPolicy(DeliverPolicy.New).maxDeliver(5));

      Certain found = theOnly(quay);
      assertThat(found.count()).isEqualTo(2);
      // It was given nothing yet, so that it cannot be meant.
      assertThat(found.givenUpBy()).contains("strict");
    }
  }

  @Test
  void a_message_terminated_or_acked_is_not_stranded() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.Interest)) {
      quay.durable("first", 2);
      quay.durable("second", 2);
      quay.publish("x", 4);
      quay.work("first", Message::term);
      quay.ackAll("second");
      assertThat(quay.look()).isEmpty();
    }
  }

  @Test
  void what_another_stream_copies_is_left_to_it() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("a", 1);
      quay.publish("x", 2);
      quay.giveUp("a");
      assertThat(theOnly(quay).count()).isEqualTo(2);

      assertThat(
              StrandedMessages.readers(
                  quay.stream,
                  List.of(
                      quay.management.addStream(
                          StreamConfiguration.builder()
                              .name(quay.stream + "-copy")
                              .sources(Source.builder().name(quay.stream).build())
                              .build()))))
          .containsExactly(new Observation.Reader(quay.stream + "-copy", List.of()));
      assertThat(quay.look()).isEmpty();
    }
  }

  @Test
  void what_was_never_delivered_since_the_filter_was_another_is_only_suspected() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("a", 3, "a");
      quay.publish("b", 5);
      quay.publish("a", 1);
      quay.ackAll("a");
      quay.durable("a", 3, ">");

      assertThat(quay.look())
          .singleElement()
          .isInstanceOfSatisfying(Suspected.class, it -> assertThat(it.count()).isEqualTo(5));
    }
  }

  @Test
  void nor_is_it_where_the_consumer_has_been_given_many_others() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("a", 3, "a");
      quay.publish("b", 5);
      quay.publish("a", 30);
      quay.ackAll("a");
      quay.durable("a", 3, ">");

      assertThat(quay.look())
          .singleElement()
          .isInstanceOfSatisfying(Suspected.class, it -> assertThat(it.count()).isEqualTo(5));
    }
  }

  @Test
  void what_a_consumer_gave_up_on_among_many_others_is_certain() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("a", 3);
      quay.publish("x", 30);
      quay.ackAll("a");
      quay.publish("x", 5);
      quay.giveUp("a");

      assertThat(theOnly(quay).count()).isEqualTo(5);
    }
  }

  @Test
  void a_stream_kept_by_limits_strands_nothing() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.Limits)) {
      quay.durable("a", 1);
      quay.publish("x", 2);
      quay.giveUp("a");
      assertThat(quay.look()).isEmpty();
    }
  }

  private static Certain theOnly(Quay quay) throws InterruptedException {
    List<Stranding> found = quay.look();
    assertThat(found).singleElement().isInstanceOf(Certain.class);
    return (Certain) found.get(0);
  }

  private static List<Long> sequences(Quay quay, Certain certain) {
    List<Long> sequences = new ArrayList<>();
    Optional<Found> next = quay.stranded().next(quay.stream, certain, 1).join();
    while (next.isPresent()) {
      sequences.add(next.get().sequence());
      next = quay.stranded().next(quay.stream, certain, next.get().sequence() + 1).join();
    }
    return sequences;
  }
}
