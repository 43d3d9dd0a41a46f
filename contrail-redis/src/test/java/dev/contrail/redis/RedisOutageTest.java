package dev.contrail.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.jetstream.ConsumerNotice;
import dev.contrail.jetstream.ConsumerNotice.Kind;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.Observed;
import dev.contrail.jetstream.WrongOrder;
import io.nats.client.api.ConsumerInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Redis is killed under load, and comes back. */
@Tag("slow")
class RedisOutageTest {
  private static final int BEFORE = 1_000;
  private static final int UNFINISHED = 10;
  private static final int FINISHED = BEFORE - UNFINISHED;
  private static final int DURING = 1_000;
  private static final int ALL = BEFORE + DURING;

  private final Map<Long, Integer> runs = new ConcurrentHashMap<>();
  private final Queue<Kind> notices = new ConcurrentLinkedQueue<>();

  @Test
  void nothing_is_acked_unrecorded_nothing_runs_twice_and_no_delivery_count_rises()
      throws Exception {
    // Longer than AckWait, so that a lease that is not extended is lost.
    assertThat(violations(WrongOrder.NONE, Duration.ofSeconds(7))).isEmpty();
    assertThat(runs).as("messages run").hasSize(ALL);
    assertThat(runs.values()).as("runs of each").containsOnly(1);
    assertThat(notices).containsOnlyOnce(Kind.STORE_DOWN).containsOnlyOnce(Kind.STORE_BACK);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void whatever_could_be_done_wrong_is_noticed(WrongOrder wrong) throws Exception {
    assertThat(violations(wrong, Duration.ofMillis(500)))
        .anySatisfy(violation -> assertThat(violation).endsWith(wrong.noticedAs));
  }

  private List<String> violations(WrongOrder wrong, Duration outage) throws Exception {
    Observed observed = new Observed(wrong);
    List<String> violations = new ArrayList<>();
    CountDownLatch redisGone = new CountDownLatch(1);
    try (Orders orders = Orders.workqueue();
        Redis redis = new Redis();
        RedisLedger ledger = redis.ledger();
        ContrailConsumer consumer =
            observed
                .observe(orders.consumer().concurrency(UNFINISHED), ledger)
                .onNotice(this::noted)
                .handler(
                    order -> {
                      if (order.sequence() > FINISHED) {
                        redisGone.await();
                      }
                      observed.run(order.sequence(), order.deliveryCount());
                      runs.merge(order.sequence(), 1, Integer::sum);
                    })
                .start()) {
      orders.publish(BEFORE);
      // From here on nothing is asked of Redis until there is something new to look up. A record
      // that fails now would end the pulling, and nothing would be looked up in the outage.
      await().atMost(Orders.SOON).until(() -> consumer.status().counts().done() == FINISHED);
      redis.server.kill();
      orders.publish(DURING);
      await().atMost(Orders.SOON).until(observed::sawFailedLookUp);
      redisGone.countDown();
      await().atMost(Orders.SOON).until(observed::sawFailedRecord);
      violations.addAll(watch(orders, consumer, outage));
      redis.server.startAgain();
      orders.awaitAllDone();
      if (wrong == WrongOrder.NONE) {
        assertThat(redis.commands().keys("contrail:processed:ORDERS:billing:*"))
            .as("completions recorded")
            .hasSize(ALL);
      }
      violations.addAll(deliveredAgain(orders));
    }
    violations.addAll(observed.violations());
    return violations;
  }

  /** While Redis is down. */
  private static List<String> watch(Orders orders, ContrailConsumer consumer, Duration outage) {
    List<String> violations = new ArrayList<>();
    long ends = System.nanoTime() + outage.toNanos();
    await()
        .atMost(outage.plus(Orders.SOON))
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> {
              violations.addAll(deliveredAgain(orders));
              return System.nanoTime() > ends;
            });
    if (consumer.status().held() == 0) {
      violations.add("nothing is held");
    }
    return violations;
  }

  private static List<String> deliveredAgain(Orders orders) throws Exception {
    ConsumerInfo info = orders.consumerInfo();
    long again =
        info.getDelivered().getConsumerSequence() - info.getDelivered().getStreamSequence();
    return again > 0 ? List.of(again + " deliveries were repeated") : List.of();
  }

  private void noted(ConsumerNotice notice) {
    notices.add(notice.kind());
  }
}
