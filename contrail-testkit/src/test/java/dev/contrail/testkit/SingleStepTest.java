package dev.contrail.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.Codec;
import dev.contrail.Delivery;
import dev.contrail.Handler;
import dev.contrail.RejectedMessageException;
import dev.contrail.RetryAfterException;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.StepResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@ContrailTest
class SingleStepTest {
  private final TestStream stream;
  private final List<Long> runs = new ArrayList<>();

  SingleStepTest(TestStream stream) {
    this.stream = stream;
  }

  @Test
  void a_test_reads_as_a_sentence() {
    SingleStep worker = worker(this::busyOnce);
    stream.publish("a");

    worker.next().isRetriedAfter(Duration.ofSeconds(30)).saying("busy").onDelivery(1);
    worker.advance(Duration.ofSeconds(29)).hasNothingToDo();
    worker.advance(Duration.ofSeconds(1));
    worker.next().isAcked().onDelivery(2);
    worker.hasNothingToDo();
    assertThat(stream.messages()).isZero();
  }

  @Test
  void what_became_of_a_message_is_told_where_something_else_was_expected() {
    SingleStep worker = worker(this::busyOnce);
    stream.publish("a");
    StepAssert retried = worker.next();

    String was =
        "but message 1 (delivery 1) comes again after 30s, for it failed with"
            + " dev.contrail.RetryAfterException: busy";
    assertThatThrownBy(retried::isAcked)
        .hasMessage(
            "expected the message given to " + stream + "/worker to be run and acked, " + was);
    assertThatThrownBy(() -> retried.isRetriedAfter(Duration.ofSeconds(31)))
        .hasMessageContaining("to come again after 31s, " + was);
    assertThatThrownBy(() -> retried.isRetriedWithin(Duration.ofSeconds(29)))
        .hasMessageContaining("to come again within 29s, " + was);
    assertThatThrownBy(() -> retried.isDeadLettered(Reason.REJECTED))
        .hasMessageContaining("to be dead-lettered as rejected, " + was);
    assertThatThrownBy(retried::isAckedUnrun).hasMessageContaining("acked without being run, but");
    assertThatThrownBy(retried::isTerminatedUnrun).hasMessageContaining("as one that is dead, but");
    assertThatThrownBy(retried::deadLetter).hasMessageContaining("to be dead-lettered, " + was);
    assertThatThrownBy(() -> retried.becauseOf(IOException.class))
        .hasMessageContaining("to fail with IOException, " + was);
    assertThatThrownBy(() -> retried.saying("idle"))
        .hasMessageContaining("a message that has “idle” in it, " + was);
    assertThatThrownBy(() -> retried.onDelivery(2))
        .hasMessageContaining("to be on its delivery 2, " + was);
    retried.isRetried().isRetriedWithin(Duration.ofSeconds(30));

    assertThatThrownBy(worker::next)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("but there is none before one that failed comes again, in 2");
    worker.advanceToRetry();
    StepAssert acked = worker.next();
    assertThatThrownBy(acked::isRetried)
        .hasMessageEndingWith("but message 1 (delivery 2) was run and acked");
    assertThatThrownBy(() -> acked.becauseOf(IOException.class))
        .hasMessageEndingWith("was run and acked");
    assertThatThrownBy(worker::next).hasMessageEndingWith("but there is none");
    assertThatThrownBy(worker::advanceToRetry)
        .hasMessageContaining("expected a message of " + stream);
    stream.publish("b");
    assertThatThrownBy(worker::hasNothingToDo)
        .hasMessageContaining(
            "nothing to do for " + stream + "/worker, but message 2 (delivery 1)");
  }

  @Test
  void a_death_comes_with_its_evidence() {
    SingleStep worker =
        worker(
            delivery -> {
              throw new RejectedMessageException("no such customer", new IOException("404"));
            });
    stream.publish("a");

    StepAssert dead =
        worker
            .next()
            .isDeadLettered(Reason.REJECTED)
            .becauseOf(IOException.class)
            .saying("no such");
    assertThat(new String(dead.deadLetter().message().payload(), StandardCharsets.UTF_8))
        .isEqualTo("a");
    assertThat(stream.deadLetters()).hasSize(1);
    assertThat(stream.awaitDeadLetters(1).get(0).id()).isEqualTo(dead.deadLetter().id());
    assertThat(dead.result()).isInstanceOf(StepResult.DeadLettered.class);
    assertThatThrownBy(dead::isAcked)
        .hasMessageContaining("was dead-lettered as rejected, for it failed with")
        .hasMessageContaining("no such customer");
  }

  @Test
  void a_crash_before_the_record_repeats_the_run_and_one_after_it_does_not() {
    SingleStep worker = worker(delivery -> {});
    stream.publish("a");

    worker.crashesBeforeRecord();
    worker.crashesBeforeAck();
    worker.next().isAckedUnrun().onDelivery(3);
    assertThat(runs).containsExactly(1L, 2L);
    worker.hasNothingToDo();
  }

  @Test
  void a_payload_that_cannot_be_read_is_tried_and_then_dead() {
    SingleStep worker = worker(delivery -> {});
    stream.publish(new byte[] {(byte) 0xFF});

    for (int delivery = 1; delivery <= 3; delivery++) {
      worker.next().isRetriedAfter(Duration.ofSeconds(5)).onDelivery(delivery);
      worker.advanceToRetry();
    }
    worker.next().isDeadLettered(Reason.UNDECODABLE).saying("UTF-8");
    assertThat(runs).isEmpty();
  }

  @Test
  void a_running_consumer_can_be_waited_for() {
    stream.publish("a");
    stream.publish("b");
    try (var running =
        stream
            .consumer("worker")
            .codec(Codec.utf8())
            .handler(
                delivery -> {
                  if (delivery.payload().equals("b")) {
                    throw new RejectedMessageException("no b");
                  }
                })
            .start()) {
      stream.awaitDone(running.name());
    }
    assertThat(stream.awaitDeadLetters(1)).hasSize(1);
  }

  private void busyOnce(Delivery<String> delivery) {
    if (delivery.deliveryCount() == 1) {
      throw new RetryAfterException(Duration.ofSeconds(30), "busy");
    }
  }

  private SingleStep worker(Handler<String> handler) {
    return stream.singleStep(
        "worker",
        consumer ->
            consumer
                .codec(Codec.utf8())
                .handler(
                    delivery -> {
                      runs.add(delivery.deliveryCount());
                      handler.handle(delivery);
                    }));
  }
}
