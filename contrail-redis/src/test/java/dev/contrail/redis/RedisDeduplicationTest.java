package dev.contrail.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.engine.WorkerCounts;
import dev.contrail.jetstream.ConsumerNotice;
import dev.contrail.jetstream.ConsumerNotice.Kind;
import dev.contrail.jetstream.ContrailConsumer;
import io.lettuce.core.SetArgs;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is recorded in Redis is not run again, whoever delivers it again. */
class RedisDeduplicationTest {
  private static final int MESSAGES = 3_000;

  private final AtomicInteger runs = new AtomicInteger();
  private final Queue<ConsumerNotice> notices = new ConcurrentLinkedQueue<>();
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
  void a_stream_that_is_delivered_all_over_again_is_acked_unrun() throws Exception {
    assertThat(work().done()).isEqualTo(MESSAGES);
    orders.deleteConsumer();
    WorkerCounts second = work();
    assertThat(second.deduplicated()).isEqualTo(MESSAGES);
    assertThat(runs).hasValue(MESSAGES);
  }

  @Test
  void what_redis_forgot_is_run_again() throws Exception {
    work();
    orders.deleteConsumer();
    redis.commands().flushall();
    assertThat(work().done()).isEqualTo(MESSAGES);
    assertThat(runs).hasValue(2 * MESSAGES);
  }

  @Test
  void the_messages_of_a_stream_that_was_made_again_are_run() throws Exception {
    work();
    orders.makeAgain();
    orders.publish(MESSAGES);
    assertThat(work().done()).isEqualTo(MESSAGES);
    assertThat(runs).hasValue(2 * MESSAGES);
  }

  @Test
  void a_message_that_merely_has_the_sequence_of_a_completed_one_is_run_and_told_of()
      throws Exception {
    work();
    // As if these were completions of what the stream held before it was restored.
    for (String key : redis.commands().keys("contrail:processed:*")) {
      redis.commands().set(key, "1700000000000", SetArgs.Builder.keepttl());
    }
    orders.deleteConsumer();
    assertThat(work().done()).isEqualTo(MESSAGES);
    assertThat(runs).hasValue(2 * MESSAGES);
    assertThat(notices)
        .filteredOn(notice -> notice.kind() == Kind.SEQUENCES_REUSED)
        .singleElement()
        .satisfies(
            notice ->
                assertThat(notice.text())
                    .startsWith("stream ORDERS hands out sequences again ")
                    .endsWith(" is not the one that was completed, and is processed"));
  }

  /** Works until all messages are acked, in what might be another process. */
  private WorkerCounts work() throws Exception {
    try (RedisLedger ledger = redis.ledger();
        ContrailConsumer consumer =
            orders
                .consumer()
                .ledger(ledger)
                .onNotice(notices::add)
                .handler(order -> runs.incrementAndGet())
                .start()) {
      await()
          .atMost(Orders.SOON)
          .until(() -> orders.consumerInfo().getAckFloor().getStreamSequence() == MESSAGES);
      return await()
          .atMost(Orders.SOON)
          .until(
              () -> consumer.status().counts(),
              counts -> counts.done() + counts.deduplicated() == MESSAGES);
    }
  }
}
