package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.RetryAfterException;
import dev.contrail.server.NatsServerBinary;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A worker that is paused leaves the messages to the others. */
@OnEveryServer
class PauseTest {
  private static final Duration ACK_WAIT = Duration.ofSeconds(20);

  private final NatsServerBinary binary;
  private final Map<Long, Long> counts = new ConcurrentHashMap<>();
  private final AtomicInteger doneWhilePaused = new AtomicInteger();
  private Workplace workplace;

  PauseTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    workplace = Workplace.workqueue(Servers.shared(binary));
  }

  @AfterEach
  void close() {
    workplace.close();
  }

  private ContrailConsumer worker() {
    return workplace
        .consumer()
        .ackWait(ACK_WAIT)
        .concurrency(16)
        .handler(delivery -> counts.put(delivery.sequence(), delivery.deliveryCount()))
        .start();
  }

  private ContrailConsumer workerThatPauses() throws Exception {
    ContrailConsumer worker =
        workplace
            .consumer()
            .ackWait(ACK_WAIT)
            .concurrency(16)
            .handler(delivery -> doneWhilePaused.incrementAndGet())
            .start();
    workplace.publish("before");
    workplace.awaitEmpty();
    await().atMost(Workplace.SOON).until(() -> workplace.consumerInfo().getNumWaiting() > 0);
    worker.pause();
    await().atMost(Workplace.SOON).until(() -> worker.status().paused());
    return worker;
  }

  @Test
  void what_is_published_after_the_pause_is_done_by_the_other_worker_in_no_time() throws Exception {
    try (ContrailConsumer paused = workerThatPauses();
        ContrailConsumer other = worker()) {
      workplace.publish(100, "work");

      await().atMost(ACK_WAIT.dividedBy(2)).until(() -> counts.size() == 100);
      assertThat(counts.values()).allMatch(count -> count <= 2, "delivered once or twice");
      assertThat(doneWhilePaused).as("done by the one that is paused").hasValue(1);
      assertThat(paused.status().inFlight()).isZero();
    }
  }

  @Test
  void the_server_forgets_the_pulls_of_a_worker_that_is_paused() throws Exception {
    try (ContrailConsumer paused = workerThatPauses()) {
      await().atMost(Workplace.SOON).until(() -> workplace.consumerInfo().getNumWaiting() == 0);
      workplace.publish(10, "work");
      await()
          .during(Duration.ofSeconds(1))
          .atMost(Workplace.SOON)
          .until(() -> workplace.consumerInfo().getDelivered().getConsumerSequence() == 1);

      paused.resume();
      workplace.awaitEmpty();
      assertThat(doneWhilePaused).hasValue(11);
    }
  }

  @Test
  void what_is_due_again_during_a_pause_comes_in_time_and_nothing_comes_twice() throws Exception {
    Set<String> runs = ConcurrentHashMap.newKeySet();
    try (ContrailConsumer paused =
        workplace
            .consumer()
            .withoutLedger()
            .ackWait(ACK_WAIT)
            .handler(
                delivery -> {
                  assertThat(runs.add(delivery.sequence() + "#" + delivery.deliveryCount()))
                      .as("first run of %s#%s", delivery.sequence(), delivery.deliveryCount())
                      .isTrue();
                  if (delivery.sequence() == 1 && delivery.deliveryCount() == 1) {
                    throw new RetryAfterException(Duration.ofSeconds(1));
                  }
                })
            .start()) {
      workplace.publish(5, "work");
      await().atMost(Workplace.SOON).until(() -> runs.size() == 5);
      paused.pause();
      await().atMost(Workplace.SOON).until(() -> paused.status().paused());
      await().during(Duration.ofMillis(1_500)).atMost(Workplace.SOON).until(() -> runs.size() == 5);

      paused.resume();
      await().atMost(ACK_WAIT.dividedBy(2)).until(() -> runs.contains("1#2"));
      workplace.awaitEmpty();
    }
    assertThat(runs).hasSize(6);
  }
}
