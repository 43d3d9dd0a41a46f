package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.contrail.policy.BreakerPolicy;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a worker holds is bounded in bytes, and everything is processed all the same. */
@OnEveryServer
class ByteBudgetTest {
  private static final int KILOBYTE = 1 << 10;
  private static final int MEGABYTE = 1 << 20;

  private final NatsServerBinary binary;
  private final Set<Long> done = ConcurrentHashMap.newKeySet();
  private final Queue<ConsumerNotice> notices = new ConcurrentLinkedQueue<>();
  private Workplace workplace;

  ByteBudgetTest(NatsServerBinary binary) {
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

  private ConsumerBuilder<byte[]> worker() {
    return workplace.consumer().withoutLedger().concurrency(8).onNotice(notices::add);
  }

  private void publish(int count, int bytes) throws Exception {
    workplace.publish(count, "x".repeat(bytes));
  }

  @Test
  void an_outage_fills_the_bytes_that_a_worker_may_hold_and_no_more() throws Exception {
    int size = 256 * KILOBYTE;
    int messages = 100;
    long budget = 6 * MEGABYTE;
    publish(messages, size);
    AtomicBoolean down = new AtomicBoolean(true);
    try (LogCapture log = new LogCapture();
        ContrailConsumer consumer =
            worker()
                .windowBytes(budget)
                .breaker(new BreakerPolicy(Duration.ofMillis(500), 3, Duration.ofMillis(50)))
                .handler(
                    delivery -> {
                      if (down.get()) {
                        throw new IllegalStateException("connection refused");
                      }
                      done.add(delivery.sequence());
                    })
                .start()) {
      await().atMost(Workplace.SOON).until(() -> consumer.status().breakerOpen());
      await()
          .atMost(Workplace.SOON)
          .until(() -> consumer.status().inFlightBytes() > budget - 2 * MEGABYTE);
      AtomicLong most = new AtomicLong();
      await()
          .during(Duration.ofSeconds(2))
          .atMost(Workplace.SOON)
          .until(
              () -> most.accumulateAndGet(consumer.status().inFlightBytes(), Math::max) <= budget);
      assertThat(most).as("bytes held").hasValueLessThanOrEqualTo(budget);
      down.set(false);
      workplace.awaitEmpty();
      assertNoPullMadeTrouble(log);
    }
    assertThat(done).hasSize(messages);
    assertThat(workplace.deadLetterCount()).isZero();
  }

  /** As the server sees it, whatever the worker says of itself. */
  @Test
  void large_messages_after_small_ones_stay_within_the_budget() throws Exception {
    int size = 512 * KILOBYTE;
    long budget = 4 * MEGABYTE;
    publish(1_000, 100);
    publish(40, size);
    AtomicBoolean hold = new AtomicBoolean(true);
    Set<Long> small = ConcurrentHashMap.newKeySet();
    try (LogCapture log = new LogCapture();
        ContrailConsumer consumer =
            worker()
                .concurrency(64)
                .windowBytes(budget)
                .handler(
                    delivery -> {
                      if (delivery.data().length < size) {
                        small.add(delivery.sequence());
                        return;
                      }
                      while (hold.get()) {
                        Workplace.work(Duration.ofMillis(20));
                      }
                      done.add(delivery.sequence());
                    })
                .start()) {
      await().atMost(Workplace.SOON).until(() -> small.size() == 1_000);
      await().atMost(Workplace.SOON).until(() -> workplace.consumerInfo().getNumAckPending() >= 5);
      await()
          .during(Duration.ofSeconds(2))
          .atMost(Workplace.SOON)
          .until(() -> workplace.consumerInfo().getNumAckPending() <= budget / size);
      assertThat(consumer.status().inFlightBytes()).isLessThanOrEqualTo(budget);
      hold.set(false);
      workplace.awaitEmpty();
      assertNoPullMadeTrouble(log);
    }
    assertThat(done).hasSize(40);
  }

  @Test
  void messages_larger_than_the_budget_are_worked_one_by_one() throws Exception {
    publish(10, 300 * KILOBYTE);
    AtomicLong most = new AtomicLong();
    try (LogCapture log = new LogCapture();
        ContrailConsumer consumer =
            worker()
                .windowBytes(100 * KILOBYTE)
                .handler(
                    delivery -> {
                      most.accumulateAndGet(workplace.consumerInfo().getNumAckPending(), Math::max);
                      done.add(delivery.sequence());
                    })
                .start()) {
      workplace.awaitEmpty();
      assertThat(consumer.status().counts().lost()).as("leases lost").isZero();
      assertNoPullMadeTrouble(log);
    }
    assertThat(done).hasSize(10);
    assertThat(most).as("held at once").hasValueLessThanOrEqualTo(2);
  }

  @Test
  void a_consumer_that_takes_no_pulls_for_many_bytes_delivers_large_messages_too()
      throws Exception {
    workplace.management.addOrUpdateConsumer(
        workplace.stream,
        ConsumerConfiguration.builder()
            .durable("worker")
            .ackPolicy(AckPolicy.Explicit)
            .ackWait(Duration.ofSeconds(2))
            .maxAckPending(20_000)
            .maxBytes(10 * KILOBYTE)
            .build());
    publish(20, 100);
    publish(20, 50 * KILOBYTE);
    publish(20, 100);
    try (LogCapture log = new LogCapture();
        ContrailConsumer consumer =
            worker().handler(delivery -> done.add(delivery.sequence())).start()) {
      workplace.awaitEmpty();
      assertNoPullMadeTrouble(log);
    }
    assertThat(done).hasSize(60);
  }

  private void assertNoPullMadeTrouble(LogCapture log) {
    assertThat(log.at(Level.INFO)).noneMatch(line -> line.contains("a pull ended"));
    assertThat(notices).noneMatch(notice -> notice.kind() == ConsumerNotice.Kind.CONSUMER_GONE);
  }
}
