package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.Codec;
import dev.contrail.Delivery;
import dev.contrail.Handler;
import dev.contrail.RejectedMessageException;
import dev.contrail.RetryAfterException;
import dev.contrail.evidence.Reason;
import dev.contrail.server.NatsServerBinary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@OnEveryServer
class SteppedConsumerTest {
  private final NatsServerBinary binary;
  private final List<String> runs = new ArrayList<>();

  SteppedConsumerTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @Test
  void a_message_is_taken_run_and_acked_in_one_step() throws Exception {
    try (Workplace place = Workplace.workqueue(Servers.shared(binary));
        SteppedConsumer consumer = stepped(place, delivery -> {})) {
      assertThat(consumer.next()).as("before there is any").isEmpty();
      long first = place.publish("a");
      long second = place.publish("b");
      assertThat(runs).as("run before it was told to").isEmpty();

      assertThat(consumer.next()).contains(new StepResult.Acked(first, 1));
      assertThat(runs).containsExactly("a 1 on " + Thread.currentThread().getName());
      assertThat(consumer.next()).contains(new StepResult.Acked(second, 1));
      assertThat(consumer.next()).isEmpty();
      place.awaitEmpty();
    }
  }

  @Test
  void a_retry_comes_when_the_clock_of_the_test_says_so_and_not_before() throws Exception {
    Handler<String> busyOnce =
        delivery -> {
          if (delivery.deliveryCount() == 1) {
            throw new RetryAfterException(Duration.ofMinutes(30));
          }
        };
    try (Workplace place = Workplace.workqueue(Servers.shared(binary));
        SteppedConsumer consumer = stepped(place, busyOnce)) {
      long sequence = place.publish("a");

      StepResult.Retried retried = (StepResult.Retried) consumer.next().orElseThrow();
      assertThat(retried.delay()).isEqualTo(Duration.ofMinutes(30));
      assertThat(retried.cause()).isInstanceOf(RetryAfterException.class);
      consumer.advance(Duration.ofMinutes(29));
      assertThat(consumer.next()).as("a minute too early").isEmpty();
      place.publish("b");
      consumer.next();
      assertThat(runs).hasSize(2).last().asString().startsWith("b 1");
      // "b" was to come again in half an hour, and "a" in a minute.
      assertThat(consumer.advanceToRetry().orElseThrow()).isLessThan(Duration.ofMinutes(1));
      assertThat(consumer.next()).contains(new StepResult.Acked(sequence, 2));
    }
  }

  @Test
  void a_death_is_told_with_its_evidence() throws Exception {
    Handler<String> rejecting =
        delivery -> {
          throw new RejectedMessageException("no such customer");
        };
    try (Workplace place = Workplace.workqueue(Servers.shared(binary));
        SteppedConsumer consumer = stepped(place, rejecting)) {
      long sequence = place.publish("a");
      consumer.advance(Duration.ofHours(3));

      StepResult.DeadLettered dead = (StepResult.DeadLettered) consumer.next().orElseThrow();
      assertThat(dead.sequence()).isEqualTo(sequence);
      assertThat(dead.letter().death().reason()).isEqualTo(Reason.REJECTED);
      assertThat(dead.letter().death().failure().message()).isEqualTo("no such customer");
      assertThat(dead.letter()).usingRecursiveComparison().isEqualTo(place.awaitDeadLetter());
      assertThat(dead.letter().death().at()).isAfter(dead.letter().message().publishedAt());
      assertThat(
              Duration.between(dead.letter().message().publishedAt(), dead.letter().death().at()))
          .as("between its publication and its death, by the clock of the test")
          .isGreaterThan(Duration.ofMinutes(179));
      place.awaitEmpty();
    }
  }

  @Test
  void the_retry_window_goes_by_the_clock_of_the_test() throws Exception {
    Handler<String> busy =
        delivery -> {
          throw new RetryAfterException(Duration.ofHours(1));
        };
    try (Workplace place = Workplace.workqueue(Servers.shared(binary));
        SteppedConsumer consumer =
            place.consumer().codec(Codec.utf8()).handler(busy).deliveryLimit(1).stepped()) {
      place.publish("a");
      int deliveries = 0;
      Optional<StepResult> result = consumer.next();
      while (result.orElseThrow() instanceof StepResult.Retried) {
        deliveries++;
        consumer.advanceToRetry();
        result = consumer.next();
      }

      assertThat(result.get()).isInstanceOf(StepResult.DeadLettered.class);
      assertThat(deliveries).as("one an hour for a day").isEqualTo(24);
    }
  }

  @Test
  void after_a_crash_before_the_record_it_is_run_again() throws Exception {
    try (Workplace place = Workplace.workqueue(Servers.shared(binary));
        SteppedConsumer consumer = stepped(place, delivery -> {})) {
      long sequence = place.publish("a");

      consumer.crash(SteppedConsumer.Crash.BEFORE_RECORD);
      assertThat(consumer.next()).contains(new StepResult.Acked(sequence, 2));
      assertThat(runs).hasSize(2);
    }
  }

  @Test
  void after_a_crash_between_record_and_ack_it_is_not_run_again() throws Exception {
    try (Workplace place = Workplace.workqueue(Servers.shared(binary));
        SteppedConsumer consumer = stepped(place, delivery -> {})) {
      long sequence = place.publish("a");

      consumer.crash(SteppedConsumer.Crash.BEFORE_ACK);
      assertThat(consumer.next()).contains(new StepResult.AckedUnrun(sequence, 2));
      assertThat(runs).hasSize(1);
      place.awaitEmpty();
    }
  }

  @Test
  void after_a_crash_between_evidence_and_term_there_is_one_dead_letter() throws Exception {
    Handler<String> rejecting =
        delivery -> {
          throw new RejectedMessageException("no such customer");
        };
    try (Workplace place = Workplace.workqueue(Servers.shared(binary));
        SteppedConsumer consumer = stepped(place, rejecting)) {
      long sequence = place.publish("a");

      consumer.crash(SteppedConsumer.Crash.BEFORE_ACK);
      assertThat(consumer.next()).contains(new StepResult.AlreadyDead(sequence, 2));
      assertThat(runs).hasSize(1);
      assertThat(place.deadLetterCount()).isEqualTo(1);
      place.awaitEmpty();
    }
  }

  @Test
  void retries_of_others_outlive_a_crash() throws Exception {
    Handler<String> busyOnce =
        delivery -> {
          if (delivery.payload().equals("a") && delivery.deliveryCount() == 1) {
            throw new RetryAfterException(Duration.ofMinutes(30));
          }
        };
    try (Workplace place = Workplace.workqueue(Servers.shared(binary));
        SteppedConsumer consumer = stepped(place, busyOnce)) {
      long first = place.publish("a");
      long second = place.publish("b");
      assertThat(consumer.next()).get().isInstanceOf(StepResult.Retried.class);

      consumer.crash(SteppedConsumer.Crash.BEFORE_RECORD);
      assertThat(consumer.next()).contains(new StepResult.Acked(second, 2));
      assertThat(consumer.next()).isEmpty();
      consumer.advance(Duration.ofMinutes(31));
      assertThat(consumer.next()).contains(new StepResult.Acked(first, 2));
    }
  }

  @Test
  void without_a_message_there_is_nothing_to_die_over() throws Exception {
    try (Workplace place = Workplace.workqueue(Servers.shared(binary));
        SteppedConsumer consumer = stepped(place, delivery -> {})) {
      assertThatThrownBy(() -> consumer.crash(SteppedConsumer.Crash.BEFORE_RECORD))
          .hasMessage("there is no message to die over");
    }
  }

  @Test
  void its_end_returns_what_waits_for_its_retry() throws Exception {
    Handler<String> busy =
        delivery -> {
          throw new RetryAfterException(Duration.ofMinutes(30));
        };
    try (Workplace place = Workplace.workqueue(Servers.shared(binary))) {
      long sequence = place.publish("a");
      try (SteppedConsumer consumer = stepped(place, busy)) {
        consumer.next();
      }
      try (SteppedConsumer other = stepped(place, delivery -> {})) {
        assertThat(other.next()).contains(new StepResult.Acked(sequence, 2));
      }
    }
  }

  private SteppedConsumer stepped(Workplace place, Handler<String> handler) {
    return Contrail.consumer(place.connection, place.stream, "worker")
        .prefix(place.names.prefix())
        .codec(Codec.utf8())
        .handler(
            delivery -> {
              note(delivery);
              handler.handle(delivery);
            })
        .stepped();
  }

  private void note(Delivery<String> delivery) {
    runs.add(
        delivery.payload()
            + " "
            + delivery.deliveryCount()
            + " on "
            + Thread.currentThread().getName());
  }
}
