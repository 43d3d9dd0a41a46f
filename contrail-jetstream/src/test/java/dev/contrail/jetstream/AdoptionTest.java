package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Consumers that are there already: adopted, refused with the reason, and never changed unasked.
 */
@OnEveryServer
class AdoptionTest {
  private final NatsServerBinary binary;
  private Workplace workplace;

  AdoptionTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    workplace = Workplace.on(Servers.shared(binary), RetentionPolicy.Limits);
  }

  @AfterEach
  void close() {
    workplace.close();
  }

  static Stream<Arguments> unsafe() {
    return Stream.of(
        Arguments.of(
            plain().maxDeliver(100), "MaxDeliver is 100", "at or below the delivery limit of 100"),
        Arguments.of(
            plain().maxDeliver(5).backoff(Duration.ofSeconds(1), Duration.ofSeconds(9)),
            "BackOff is 1s, 9s",
            "overrides AckWait"),
        Arguments.of(plain().headersOnly(true), "headers_only is on", "no payload"));
  }

  @ParameterizedTest
  @MethodSource("unsafe")
  void what_breaks_a_promise_is_refused_with_the_reason_and_left_as_it_is(
      ConsumerConfiguration.Builder settings, String setting, String meaning) throws Exception {
    ConsumerConfiguration before = add(settings);

    assertThatThrownBy(() -> consumer().start())
        .isInstanceOf(UnsafeConsumerException.class)
        .hasMessageContaining(setting)
        .hasMessageContaining(meaning)
        .hasMessageContaining("--update");
    assertThat(workplace.consumerInfo().getConsumerConfiguration().toJson())
        .isEqualTo(before.toJson());
  }

  @ParameterizedTest
  @MethodSource("unsafe")
  void it_is_mended_when_that_is_allowed(
      ConsumerConfiguration.Builder settings, String setting, String meaning) throws Exception {
    add(settings);

    consumer().updateConsumer().start().close();

    ConsumerConfiguration mended = workplace.consumerInfo().getConsumerConfiguration();
    assertThat(mended.getMaxDeliver()).isEqualTo(-1);
    assertThat(mended.getBackoff()).isEmpty();
    assertThat(mended.isHeadersOnly()).isFalse();
  }

  @Test
  void another_filter_is_refused_and_changed_only_when_that_is_allowed() throws Exception {
    add(plain().filterSubject(workplace.stream + ".other"));
    assertThatThrownBy(() -> consumer().start())
        .isInstanceOf(UnsafeConsumerException.class)
        .hasMessageContaining("it filters " + workplace.stream + ".other")
        .hasMessageContaining("not " + workplace.subject() + " as asked for");

    consumer().updateConsumer().start().close();

    assertThat(workplace.consumerInfo().getConsumerConfiguration().getFilterSubjects())
        .containsExactly(workplace.subject());
  }

  @Test
  void another_ack_policy_and_a_push_consumer_are_hopeless_also_when_an_update_is_allowed()
      throws Exception {
    add(plain().ackPolicy(AckPolicy.All));
    assertThatThrownBy(() -> consumer().updateConsumer().start())
        .isInstanceOf(UnsafeConsumerException.class)
        .hasMessageContaining("ack policy is all")
        .hasMessageContaining("delete it");

    workplace.management.deleteConsumer(workplace.stream, "worker");
    add(plain().deliverSubject("push.here"));
    assertThatThrownBy(() -> consumer().start())
        .isInstanceOf(UnsafeConsumerException.class)
        .hasMessageContaining("push consumer");
  }

  @Test
  void a_sound_one_is_adopted_as_it_is_and_its_ack_wait_is_what_leases_follow() throws Exception {
    ConsumerConfiguration before =
        add(plain().filterSubject(workplace.subject()).ackWait(Duration.ofSeconds(1)));
    workplace.publish("slow");
    Set<Long> runs = ConcurrentHashMap.newKeySet();
    try (ContrailConsumer consumer =
        consumer()
            .ackWait(Duration.ofMinutes(1))
            .handler(
                delivery -> {
                  runs.add(delivery.deliveryCount());
                  Workplace.work(Duration.ofSeconds(3));
                })
            .start()) {
      await().atMost(Workplace.SOON).until(() -> consumer.status().counts().done() == 1);
    }
    assertThat(runs)
        .as("deliveries, with leases kept for the consumer's own second")
        .containsExactly(1L);
    assertThat(workplace.consumerInfo().getConsumerConfiguration().toJson())
        .isEqualTo(before.toJson());
  }

  @Test
  void a_consumer_that_is_made_has_the_settings_that_are_promised() throws Exception {
    Contrail.consumer(workplace.connection, workplace.stream, "worker")
        .prefix(workplace.names.prefix())
        .handler(delivery -> {})
        .start()
        .close();

    ConsumerConfiguration made = workplace.consumerInfo().getConsumerConfiguration();
    assertThat(made.getMaxDeliver()).isEqualTo(-1);
    assertThat(made.getBackoff()).isEmpty();
    assertThat(made.getAckPolicy()).isEqualTo(AckPolicy.Explicit);
    assertThat(made.getMaxAckPending()).isEqualTo(20_000);
    assertThat(made.getAckWait()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void several_filters_are_taken_by_servers_that_can_and_refused_in_a_sentence_by_others()
      throws Exception {
    ConsumerBuilder<byte[]> two =
        workplace
            .consumer()
            .filter(workplace.stream + ".a", workplace.stream + ".b")
            .handler(delivery -> {});
    if (binary.version().isAtLeast(2, 10)) {
      two.start().close();
      assertThat(workplace.consumerInfo().getConsumerConfiguration().getFilterSubjects())
          .containsExactlyInAnyOrder(workplace.stream + ".a", workplace.stream + ".b");
    } else {
      assertThatThrownBy(two::start)
          .isInstanceOf(ContrailException.class)
          .hasMessageContaining("worker");
    }
  }

  private ConsumerBuilder<byte[]> consumer() {
    return workplace.consumer().filter(workplace.subject()).handler(delivery -> {});
  }

  private ConsumerConfiguration add(ConsumerConfiguration.Builder settings) throws Exception {
    return workplace
        .management
        .addOrUpdateConsumer(workplace.stream, settings.build())
        .getConsumerConfiguration();
  }

  private static ConsumerConfiguration.Builder plain() {
    return ConsumerConfiguration.builder().durable("worker").ackPolicy(AckPolicy.Explicit);
  }
}
