package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.Handler;
import dev.contrail.RejectedMessageException;
import dev.contrail.RetryAfterException;
import dev.contrail.jetstream.ConsumerNotice.Kind;
import dev.contrail.policy.Backoff;
import dev.contrail.policy.BreakerPolicy;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.StreamConfiguration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Outages kill nothing: of the dead-letter store, and of what the handler depends on. */
@Tag("slow")
@OnEveryServer
class OutageTest {
  private static final Duration STORE_OUTAGE = Duration.ofSeconds(30);
  private static final Duration DEPENDENCY_OUTAGE = Duration.ofSeconds(6);

  private final NatsServerBinary binary;
  private final Queue<Kind> notices = new ConcurrentLinkedQueue<>();
  private Workplace workplace;

  OutageTest(NatsServerBinary binary) {
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

  @Test
  void dying_messages_are_held_while_their_store_is_down_and_healthy_work_goes_on()
      throws Exception {
    int dying = 500;
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .onNotice(notice -> notices.add(notice.kind()))
            .handler(
                delivery -> {
                  if (text(delivery.data()).equals("reject")) {
                    throw new RejectedMessageException("told to");
                  }
                })
            .start()) {
      limitDeadLetters(0);
      workplace.publish(dying, "reject");
      await().atMost(Workplace.SOON).until(() -> consumer.status().held() == dying);
      long outageEnds = System.nanoTime() + STORE_OUTAGE.toNanos();
      await()
          .atMost(STORE_OUTAGE.plusSeconds(30))
          .pollInterval(Duration.ofMillis(500))
          .until(
              () -> {
                workplace.publish("ok");
                assertThat(workplace.consumerInfo().getRedelivered()).as("redelivered").isZero();
                return System.nanoTime() > outageEnds;
              });
      await().atMost(Workplace.SOON).until(() -> workplace.messages() == dying);
      assertThat(workplace.consumerInfo().getNumAckPending()).isEqualTo(dying);
      assertThat(workplace.deadLetterCount()).isZero();
      assertThat(notices).containsOnlyOnce(Kind.STORE_DOWN);

      limitDeadLetters(-1);
      await().atMost(Duration.ofSeconds(60)).until(() -> workplace.messages() == 0);
      assertThat(workplace.deadLetters())
          .hasSize(dying)
          .allSatisfy(letter -> assertThat(letter.death().deliveries()).isEqualTo(1));
      assertThat(notices).contains(Kind.STORE_BACK);
    }
  }

  @Test
  void a_dead_letter_stream_that_somebody_deletes_is_made_again() throws Exception {
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .onNotice(notice -> notices.add(notice.kind()))
            .handler(
                delivery -> {
                  throw new RejectedMessageException("told to");
                })
            .start()) {
      workplace.management.deleteStream(workplace.names.deadLetterStream());
      workplace.publish("reject");
      workplace.awaitEmpty();
    }
    assertThat(workplace.awaitDeadLetter().death().deliveries()).isEqualTo(1);
    assertThat(notices).contains(Kind.STORE_DOWN, Kind.STORE_BACK);
  }

  /** A store that is full refuses like one that is away; 0 closes it, -1 opens it. */
  private void limitDeadLetters(long most) throws Exception {
    StreamConfiguration now =
        workplace.management.getStreamInfo(workplace.names.deadLetterStream()).getConfiguration();
    workplace.management.updateStream(
        StreamConfiguration.builder(now)
            .discardPolicy(DiscardPolicy.New)
            .maxBytes(most == 0 ? 1 : -1)
            .build());
  }

  @Test
  void ten_thousand_messages_that_declare_the_outage_wait_it_out() throws Exception {
    waitsOutTheOutage(10_000, () -> new RetryAfterException(Duration.ofMillis(100)));
  }

  @Test
  void ten_thousand_messages_that_fail_without_a_word_wait_it_out() throws Exception {
    waitsOutTheOutage(10_000, () -> new IllegalStateException("connection refused"));
  }

  @Test
  void four_messages_wait_it_out() throws Exception {
    waitsOutTheOutage(4, () -> new IllegalStateException("connection refused"));
  }

  private void waitsOutTheOutage(int messages, Supplier<Exception> failure) throws Exception {
    AtomicBoolean down = new AtomicBoolean(true);
    Set<Long> done = ConcurrentHashMap.newKeySet();
    workplace.publish(messages, "work");
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .ackWait(Duration.ofSeconds(5))
            .deliveryLimit(40)
            .breaker(new BreakerPolicy(Duration.ofSeconds(1), 3, Duration.ofMillis(100)))
            .onNotice(notice -> notices.add(notice.kind()))
            .handler(
                delivery -> {
                  if (down.get()) {
                    throw failure.get();
                  }
                  done.add(delivery.sequence());
                })
            .start()) {
      await().atMost(Workplace.SOON).until(() -> consumer.status().breakerOpen());
      awaitSteadyDeliveries();
      long deliveries = deliveries();
      long ends = System.nanoTime() + DEPENDENCY_OUTAGE.toNanos();
      await()
          .atMost(DEPENDENCY_OUTAGE.plusSeconds(30))
          .pollInterval(Duration.ofMillis(500))
          .until(
              () -> {
                assertThat(deliveries()).as("deliveries while open").isEqualTo(deliveries);
                return System.nanoTime() > ends;
              });
      down.set(false);
      workplace.awaitEmpty();
    }
    assertThat(done).hasSize(messages);
    assertThat(workplace.deadLetterCount()).isZero();
    assertThat(notices).contains(Kind.BREAKER_OPENED, Kind.BREAKER_CLOSED);
  }

  private long deliveries() {
    return workplace.consumerInfo().getDelivered().getConsumerSequence();
  }

  /** What had been returned before the breaker opened is taken in once more. */
  private void awaitSteadyDeliveries() {
    AtomicInteger same = new AtomicInteger();
    long[] last = {-1};
    await()
        .atMost(Workplace.SOON)
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> {
              same.set(deliveries() == last[0] ? same.get() + 1 : 0);
              last[0] = deliveries();
              return same.get() >= 3;
            });
  }

  @Test
  void five_hundred_poison_messages_at_the_head_are_no_outage() throws Exception {
    Set<Long> done = ConcurrentHashMap.newKeySet();
    workplace.publish(500, "poison");
    workplace.publish(500, "ok");
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .breaker(new BreakerPolicy(Duration.ofSeconds(5), 3, Duration.ofMillis(100)))
            .onNotice(notice -> notices.add(notice.kind()))
            .handler(failingPoison(done, Duration.ZERO))
            .start()) {
      await().atMost(Workplace.SOON).until(() -> done.size() == 500);
      assertThat(notices).doesNotContain(Kind.BREAKER_OPENED);
      assertThat(workplace.deadLetterCount()).isZero();
    }
  }

  @Test
  void a_run_of_poison_that_opens_the_breaker_does_not_starve_what_lies_behind_it()
      throws Exception {
    Set<Long> done = ConcurrentHashMap.newKeySet();
    workplace.publish(3_000, "poison");
    workplace.publish(50, "ok");
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .window(256)
            .concurrency(4)
            .backoff(new Backoff(Duration.ofMinutes(1), 2, Duration.ofMinutes(5)))
            .breaker(new BreakerPolicy(Duration.ofMillis(200), 3, Duration.ofMillis(1)))
            .onNotice(notice -> notices.add(notice.kind()))
            .handler(failingPoison(done, Duration.ofMillis(2)))
            .start()) {
      await().atMost(Duration.ofSeconds(60)).until(() -> done.size() == 50);
      assertThat(notices).contains(Kind.BREAKER_OPENED, Kind.WINDOW_LET_GO, Kind.BREAKER_CLOSED);
      await("only poison waits for its retry")
          .atMost(Workplace.SOON)
          .until(() -> workplace.messages() == 3_000);
    }
  }

  @Test
  void two_thousand_messages_waiting_for_their_retry_do_not_stop_ten_thousand_healthy_ones()
      throws Exception {
    Set<Long> done = ConcurrentHashMap.newKeySet();
    workplace.publish(2_000, "poison");
    workplace.publish(10_000, "ok");
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .handler(
                delivery -> {
                  if (text(delivery.data()).equals("poison")) {
                    throw new RetryAfterException(Duration.ofMinutes(10));
                  }
                  done.add(delivery.sequence());
                })
            .start()) {
      await().atMost(Duration.ofSeconds(60)).until(() -> done.size() == 10_000);
      await().atMost(Workplace.SOON).until(() -> workplace.messages() == 2_000);
      assertThat(workplace.consumerInfo().getNumAckPending())
          .as("poison that still waits")
          .isEqualTo(2_000);
    }
  }

  private static Handler<byte[]> failingPoison(Set<Long> done, Duration work) {
    return delivery -> {
      Workplace.work(work);
      if (text(delivery.data()).equals("poison")) {
        throw new IllegalStateException("poison");
      }
      done.add(delivery.sequence());
    };
  }

  private static String text(byte[] data) {
    return new String(data, StandardCharsets.UTF_8);
  }
}
