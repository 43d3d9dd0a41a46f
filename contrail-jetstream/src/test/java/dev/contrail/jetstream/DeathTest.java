package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.Codec;
import dev.contrail.RejectedMessageException;
import dev.contrail.RetryAfterException;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.Reason;
import dev.contrail.policy.RetryPolicy;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@OnEveryServer
class DeathTest {
  private final NatsServerBinary binary;
  private final Queue<Long> runNanos = new ConcurrentLinkedQueue<>();
  private Workplace workplace;

  DeathTest(NatsServerBinary binary) {
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
  void poison_ends_at_the_limit_as_one_whole_dead_letter_and_leaves_the_queue_empty()
      throws Exception {
    Headers headers = new Headers().add("Order", "7").add("Tag", "a", "b").add("Nats-Msg-Id", "x1");
    byte[] payload = {0, 1, 2, (byte) 0xFF, '\r', '\n'};
    workplace
        .connection
        .jetStream()
        .publish(
            NatsMessage.builder()
                .subject(workplace.subject())
                .headers(headers)
                .data(payload)
                .build());
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .deliveryLimit(5)
            .appVersion("1.2.3")
            .handler(
                delivery -> {
                  runNanos.add(System.nanoTime());
                  throw new IllegalStateException("no such order: 4711");
                })
            .start()) {
      workplace.awaitEmpty();
    }
    DeadLetter letter = workplace.awaitDeadLetter();
    assertThat(letter.message().payload()).isEqualTo(payload);
    assertThat(Workplace.headers(letter).first("Order")).contains("7");
    assertThat(Workplace.headers(letter).all("Tag")).containsExactlyInAnyOrder("a", "b");
    assertThat(Workplace.headers(letter).first("Nats-Msg-Id")).contains("x1");
    assertThat(letter.message().subject()).isEqualTo(workplace.subject());
    assertThat(letter.death().reason()).isEqualTo(Reason.DELIVERY_LIMIT);
    assertThat(letter.death().deliveries()).isEqualTo(5);
    assertThat(letter.death().failure().exceptionClass())
        .isEqualTo(IllegalStateException.class.getName());
    assertThat(letter.death().failure().message()).isEqualTo("no such order: 4711");
    assertThat(letter.death().failure().stackTrace()).contains("DeathTest");
    assertThat(letter.death().witness().appVersion()).contains("1.2.3");
    assertThat(runNanos).hasSize(5);
  }

  @Test
  void a_corrupt_payload_is_tried_three_times_with_the_delay_and_dies_on_the_fourth()
      throws Exception {
    workplace.publish("{not json");
    Duration delay = Duration.ofMillis(500);
    Codec<String> refusing =
        (data, headers) -> {
          runNanos.add(System.nanoTime());
          throw new IllegalArgumentException("corrupt");
        };
    AtomicInteger handled = new AtomicInteger();
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .retry(RetryPolicy.DEFAULT.withUndecodable(3, delay))
            .codec(refusing)
            .handler(delivery -> handled.incrementAndGet())
            .start()) {
      workplace.awaitEmpty();
    }
    DeadLetter letter = workplace.awaitDeadLetter();
    assertThat(letter.death().reason()).isEqualTo(Reason.UNDECODABLE);
    assertThat(letter.death().deliveries()).isEqualTo(4);
    assertThat(handled).as("runs of the handler").hasValue(0);
    assertThat(runNanos).hasSize(4);
    assertThat(gaps()).allSatisfy(gap -> assertThat(gap).isGreaterThanOrEqualTo(delay));
  }

  @Test
  void a_retry_after_two_seconds_is_not_redelivered_before() throws Exception {
    workplace.publish("later");
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .handler(
                delivery -> {
                  runNanos.add(System.nanoTime());
                  if (delivery.deliveryCount() == 1) {
                    throw new CompletionException(new RetryAfterException(Duration.ofSeconds(2)));
                  }
                })
            .start()) {
      workplace.awaitEmpty();
    }
    assertThat(runNanos).hasSize(2);
    assertThat(gaps().get(0)).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
    assertThat(workplace.deadLetterCount()).isZero();
  }

  @Test
  void a_declared_transient_failure_outlives_the_limit_until_the_retry_window_is_over()
      throws Exception {
    workplace.publish("patience");
    Duration window = Duration.ofSeconds(3);
    long started = System.nanoTime();
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .deliveryLimit(3)
            .retryWindow(window)
            .handler(
                delivery -> {
                  runNanos.add(System.nanoTime());
                  throw new RetryAfterException(Duration.ofMillis(100));
                })
            .start()) {
      workplace.awaitEmpty();
    }
    DeadLetter letter = workplace.awaitDeadLetter();
    assertThat(letter.death().reason()).isEqualTo(Reason.DELIVERY_LIMIT);
    assertThat(letter.death().deliveries()).as("deliveries, the limit being 3").isGreaterThan(6);
    assertThat(Duration.ofNanos(System.nanoTime() - started)).isGreaterThan(window);
  }

  @Test
  void a_rejected_message_dies_on_its_first_delivery() throws Exception {
    workplace.publish("nonsense");
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .handler(
                delivery -> {
                  runNanos.add(System.nanoTime());
                  throw new IllegalStateException(
                      "outer", new RejectedMessageException("nothing to charge"));
                })
            .start()) {
      workplace.awaitEmpty();
    }
    DeadLetter letter = workplace.awaitDeadLetter();
    assertThat(letter.death().reason()).isEqualTo(Reason.REJECTED);
    assertThat(letter.death().deliveries()).isEqualTo(1);
    assertThat(Workplace.text(letter)).isEqualTo("nonsense");
    assertThat(runNanos).hasSize(1);
  }

  @Test
  void an_unclassified_failure_backs_off_and_is_never_acked() throws Exception {
    workplace.publish("flaky");
    Queue<String> acks = new ConcurrentLinkedQueue<>();
    workplace
        .connection
        .createDispatcher(
            message -> acks.add(new String(message.getData(), StandardCharsets.US_ASCII)))
        .subscribe("$JS.ACK." + workplace.stream + ".>");
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .handler(
                delivery -> {
                  if (delivery.deliveryCount() < 4) {
                    throw new StackOverflowError("an Error is a failure like any other");
                  }
                })
            .start()) {
      workplace.awaitEmpty();
      await().atMost(Workplace.SOON).until(() -> acks.contains("+ACK"));
    }
    assertThat(acks).filteredOn(ack -> ack.startsWith("-NAK")).hasSize(3);
    assertThat(acks).filteredOn(ack -> ack.equals("+ACK")).hasSize(1);
    assertThat(acks).last().isEqualTo("+ACK");
    assertThat(workplace.deadLetterCount()).isZero();
  }

  private List<Duration> gaps() {
    List<Long> times = List.copyOf(runNanos);
    return IntStream.range(1, times.size())
        .mapToObj(i -> Duration.ofNanos(times.get(i) - times.get(i - 1)))
        .toList();
  }
}
