package dev.contrail.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.jetstream.ConsumerBuilder;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Observed;
import dev.contrail.policy.Backoff;
import dev.contrail.policy.RetryPolicy;
import io.lettuce.core.SetArgs;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers end between record and ack, and all are down for longer than Redis remembers. */
class DowntimeTest {
  private static final int MESSAGES = 20;

  /** There is no shorter one. */
  private static final Duration SHORTEST_TTL = Duration.ofSeconds(1);

  private Orders orders;
  private Redis redis;

  @BeforeEach
  void open() throws Exception {
    orders = Orders.kept();
    redis = new Redis();
    orders.publish(MESSAGES);
  }

  @AfterEach
  void close() throws Exception {
    redis.close();
    orders.close();
  }

  @Test
  void a_redis_that_forgets_sooner_refuses_to_start() {
    assertThatThrownBy(() -> RedisLedger.at("redis://here").ttl(SHORTEST_TTL.minusMillis(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the TTL of the Redis ledger is 999ms, but must be between 1s and");
    try (RedisLedger ledger =
        redis.ledger().ttl(SHORTEST_TTL).longestOutage(Duration.ofSeconds(2))) {
      assertThatThrownBy(() -> hasty("billing").ledger(ledger).handler(order -> {}).start())
          .isInstanceOf(ContrailException.class)
          .hasMessageStartingWith(
              "The Redis ledger forgets a completion after 1s (its TTL), but a completed message"
                  + " may come again for 2s ")
          .hasMessageEndingWith(" [CT001]");
    }
  }

  @Test
  void what_redis_forgot_meanwhile_is_run_again_and_with_the_ledger_in_jetstream_nothing_is()
      throws Exception {
    // It believes what it is told, that nobody is ever down for longer.
    try (RedisLedger ledger = redis.ledger().ttl(SHORTEST_TTL).longestOutage(SHORTEST_TTL)) {
      Map<Long, Integer> withRedis = work("billing", consumer -> consumer.ledger(ledger));
      Map<Long, Integer> withJetStream = work("shipping", UnaryOperator.identity());

      assertThat(withRedis).hasSize(MESSAGES);
      assertThat(withRedis.values()).as("runs with Redis").containsOnly(2);
      assertThat(withJetStream).hasSize(MESSAGES);
      assertThat(withJetStream.values()).as("runs with JetStream").containsOnly(1);
    }
  }

  /** Works twice, with a downtime in between; returns how often each message was run. */
  private Map<Long, Integer> work(String name, UnaryOperator<ConsumerBuilder<byte[]>> with)
      throws Exception {
    Map<Long, Integer> runs = new ConcurrentHashMap<>();
    try (ContrailConsumer first =
        Observed.losingAcks(with.apply(hasty(name)))
            .handler(order -> runs.merge(order.sequence(), 1, Integer::sum))
            .start()) {
      await().atMost(Orders.SOON).until(() -> first.status().counts().done() >= MESSAGES);
    }
    assertThat(orders.consumerInfo(name).getNumAckPending()).as("not acked").isEqualTo(MESSAGES);
    // As long as Redis would remember what was recorded last.
    redis.commands().set("marker", "", SetArgs.Builder.px(SHORTEST_TTL));
    await().atMost(Orders.SOON).until(() -> redis.commands().exists("marker") == 0);
    try (ContrailConsumer second =
        with.apply(hasty(name))
            .handler(order -> runs.merge(order.sequence(), 1, Integer::sum))
            .start()) {
      await()
          .atMost(Orders.SOON)
          .until(() -> orders.consumerInfo(name).getAckFloor().getStreamSequence() == MESSAGES);
    }
    return runs;
  }

  private ConsumerBuilder<byte[]> hasty(String name) {
    return orders
        .consumer(name)
        .ackWait(SHORTEST_TTL)
        .retry(
            RetryPolicy.DEFAULT
                .withBackoff(new Backoff(Duration.ofMillis(20), 2, SHORTEST_TTL))
                .withUndecodable(3, SHORTEST_TTL)
                .withLongestDelay(SHORTEST_TTL));
  }
}
