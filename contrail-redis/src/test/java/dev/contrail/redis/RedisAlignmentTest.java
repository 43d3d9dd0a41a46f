package dev.contrail.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.jetstream.ConsumerNotice;
import dev.contrail.jetstream.ConsumerNotice.Kind;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Observed;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The TTL is held against the consumer's AckWait, at the start and while it works. */
class RedisAlignmentTest {
  private static final Duration PATROL = Duration.ofMillis(200);
  private static final int WINDOW = 8;

  private final Queue<ConsumerNotice> notices = new ConcurrentLinkedQueue<>();
  private final AtomicInteger done = new AtomicInteger();
  private Orders orders;
  private Redis redis;

  @BeforeEach
  void open() throws Exception {
    orders = Orders.workqueue();
    redis = new Redis();
  }

  @AfterEach
  void close() throws Exception {
    redis.close();
    orders.close();
  }

  @Test
  void a_ttl_below_the_longest_outage_refuses_to_start() {
    try (RedisLedger ledger = redis.ledger().ttl(Duration.ofHours(2))) {
      assertThatThrownBy(() -> start(ledger))
          .isInstanceOf(ContrailException.class)
          .hasMessageStartingWith(
              "The Redis ledger forgets a completion after 2h (its TTL), but a completed message"
                  + " may come again for 1d ");
    }
  }

  @Test
  void a_ttl_below_the_ack_wait_refuses_to_start() {
    try (RedisLedger ledger =
        redis.ledger().ttl(Duration.ofHours(2)).longestOutage(Duration.ofMinutes(1))) {
      assertThatThrownBy(
              () ->
                  orders
                      .consumer()
                      .ackWait(Duration.ofHours(3))
                      .ledger(ledger)
                      .handler(order -> {})
                      .start())
          .isInstanceOf(ContrailException.class)
          .hasMessageContaining("may come again for 3h");
    }
  }

  @Test
  void an_ack_wait_raised_beyond_the_ttl_stops_the_pulling_until_it_is_mended() throws Exception {
    try (RedisLedger ledger =
            redis.ledger().ttl(Duration.ofHours(2)).longestOutage(Duration.ofMinutes(1));
        ContrailConsumer consumer = start(ledger)) {
      orders.publish(5);
      await().atMost(Orders.SOON).until(() -> done.get() == 5);

      orders.setAckWait(Duration.ofHours(3));
      await().atMost(Orders.SOON).until(() -> told(Kind.LEDGER_OBJECTS) == 1);
      orders.publish(100);
      // What the server had been asked for before still comes.
      await()
          .during(Duration.ofSeconds(2))
          .atMost(Duration.ofSeconds(10))
          .until(() -> done.get() <= 5 + WINDOW && consumer.status().inFlight() <= WINDOW);
      assertThat(notices)
          .filteredOn(notice -> notice.kind() == Kind.LEDGER_OBJECTS)
          .singleElement()
          .satisfies(
              notice ->
                  assertThat(notice.text())
                      .contains("after 2h (its TTL)", "may come again for 3h")
                      .endsWith(" Nothing is pulled until that is mended."));

      orders.setAckWait(Duration.ofSeconds(5));
      await().atMost(Orders.SOON).until(() -> done.get() == 105);
      assertThat(told(Kind.LEDGER_CONTENT)).isEqualTo(1);
    }
  }

  @Test
  void a_derived_ttl_grows_with_the_ack_wait_and_work_goes_on() throws Exception {
    try (RedisLedger ledger = redis.ledger();
        ContrailConsumer consumer = start(ledger)) {
      orders.publish(5);
      await().atMost(Orders.SOON).until(() -> done.get() == 5);
      orders.setAckWait(Duration.ofHours(100));
      await()
          .atMost(Orders.SOON)
          .until(
              () ->
                  redis.commands().keys("contrail:processed:*").stream()
                      .mapToLong(key -> redis.commands().pttl(key))
                      .allMatch(left -> left > Duration.ofHours(199).toMillis()));
      orders.publish(5);
      await().atMost(Orders.SOON).until(() -> done.get() == 10);
      assertThat(told(Kind.LEDGER_OBJECTS)).isZero();
      assertThat(consumer.status().counts().deduplicated()).isZero();
    }
  }

  private ContrailConsumer start(RedisLedger ledger) {
    return Observed.patrolling(orders.consumer(), PATROL)
        .window(WINDOW)
        .concurrency(2)
        .ledger(ledger)
        .onNotice(notices::add)
        .handler(order -> done.incrementAndGet())
        .start();
  }

  private long told(Kind kind) {
    return notices.stream().filter(notice -> notice.kind() == kind).count();
  }
}
