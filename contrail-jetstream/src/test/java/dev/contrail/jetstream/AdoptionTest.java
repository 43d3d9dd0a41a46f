package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.contrail.jetstream.ConsumerDifference.Severity;
import dev.contrail.policy.WorkerPolicy;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

  @ParameterizedTest
  @EnumSource
  void what_is_odd_about_a_consumer_is_told_and_it_is_left_as_it_is(Oddity oddity)
      throws Exception {
    ConsumerConfiguration before = add(oddity.consumer());
    try (LogCapture log = new LogCapture()) {
      if (!isKnown(oddity)) {
        unfiltered().start().close();
        assertThat(log.at(Level.WARN)).as("about what the server did not store").isEmpty();
      } else if (oddity.severity == Severity.NOTE) {
        unfiltered().start().close();
        assertThat(log.at(Level.WARN))
            .filteredOn(line -> line.contains(oddity.setting))
            .singleElement()
            .asString()
            .contains(workplace.stream + "/worker: ", oddity.meaning, oddity.rule.tag());
      } else {
        assertThatThrownBy(() -> unfiltered().start())
            .isInstanceOf(UnsafeConsumerException.class)
            .hasMessageStartingWith(
                "Consumer worker of stream " + workplace.stream + " is not safe to work with: ")
            .hasMessageContaining(oddity.setting)
            .hasMessageContaining(oddity.meaning)
            .hasMessageContaining(oddity.rule.tag())
            .hasMessageContaining(
                oddity.severity == Severity.HOPELESS ? "delete it" : "--update on the command line")
            .hasMessageMatching("[^\\n]+\\.");
      }
    }
    assertThat(workplace.consumerInfo().getConsumerConfiguration().toJson())
        .isEqualTo(before.toJson());
  }

  @Test
  void a_stream_that_endangers_its_work_is_warned_about_once() throws Exception {
    workplace.management.updateStream(
        StreamConfiguration.builder(
                workplace.management.getStreamInfo(workplace.stream).getConfiguration())
            .maxAge(Duration.ofMinutes(10))
            .build());
    try (LogCapture log = new LogCapture()) {
      unfiltered().start().close();

      assertThat(log.at(Level.WARN))
          .filteredOn(line -> line.contains("[CT028]"))
          .singleElement()
          .asString()
          .contains(workplace.stream, "max age is 10m", "1h");
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_an_update_can_mend_is_mended_when_it_is_allowed(Oddity oddity) throws Exception {
    ConsumerConfiguration before = add(oddity.consumer());
    if (oddity.severity == Severity.HOPELESS) {
      assertThatThrownBy(() -> unfiltered().updateConsumer().start())
          .isInstanceOf(UnsafeConsumerException.class)
          .hasMessageContaining("delete it");
      assertThat(workplace.consumerInfo().getConsumerConfiguration().toJson())
          .isEqualTo(before.toJson());
      return;
    }
    unfiltered().updateConsumer().start().close();

    assertThat(remaining())
        .allMatch(left -> left.severity() == Severity.NOTE && left.setting().equals(oddity.setting))
        .hasSizeLessThanOrEqualTo(oddity.severity == Severity.NOTE ? 1 : 0);
    workplace.publish("work");
    Set<Long> done = ConcurrentHashMap.newKeySet();
    if (oddity != Oddity.PAUSED || !isKnown(oddity)) {
      try (ContrailConsumer consumer =
          unfiltered().handler(delivery -> done.add(delivery.sequence())).start()) {
        await().atMost(Workplace.SOON).until(() -> !done.isEmpty());
      }
    }
  }

  private List<ConsumerDifference> remaining() {
    return ConsumerDifference.between(
        Instant.now(),
        workplace.consumerInfo().getConsumerConfiguration(),
        new ConsumerSettings(
            workplace.stream,
            "worker",
            List.of(),
            Optional.of(Duration.ofSeconds(2)),
            20_000,
            false,
            WorkerPolicy.defaults(4)));
  }

  private boolean isKnown(Oddity oddity) {
    return binary.version().isAtLeast(2, 11) || !oddity.needsNewServer();
  }

  @Test
  void a_consumer_with_backoff_gets_the_usual_ack_wait_when_it_is_updated() throws Exception {
    add(Oddity.BACKOFF.consumer());

    Contrail.consumer(workplace.connection, workplace.stream, "worker")
        .prefix(workplace.names.prefix())
        .updateConsumer()
        .handler(delivery -> {})
        .start()
        .close();

    assertThat(workplace.consumerInfo().getConsumerConfiguration().getAckWait())
        .as("AckWait, of which BackOff had put 1s in place")
        .isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void a_consumer_with_limits_on_pulls_is_worked_on_within_them() throws Exception {
    add(Oddity.sound().maxBatch(3).maxExpires(Duration.ofSeconds(2)).build());
    workplace.publish(50, "work");
    Set<Long> done = ConcurrentHashMap.newKeySet();
    try (ContrailConsumer consumer =
        unfiltered().handler(delivery -> done.add(delivery.sequence())).start()) {
      await().atMost(Workplace.SOON).until(() -> done.size() == 50);
    }
  }

  @Test
  void another_filter_is_refused_and_changed_only_when_that_is_allowed() throws Exception {
    add(Oddity.sound().filterSubject(workplace.stream + ".other").build());
    assertThatThrownBy(() -> consumer().start())
        .isInstanceOf(UnsafeConsumerException.class)
        .hasMessageContaining("it filters " + workplace.stream + ".other")
        .hasMessageContaining("not " + workplace.subject() + " as asked for");

    consumer().updateConsumer().start().close();

    assertThat(workplace.consumerInfo().getConsumerConfiguration().getFilterSubjects())
        .containsExactly(workplace.subject());
  }

  @Test
  void a_sound_one_is_adopted_as_it_is_and_its_ack_wait_is_what_leases_follow() throws Exception {
    ConsumerConfiguration before =
        add(
            Oddity.sound()
                .filterSubject(workplace.subject())
                .ackWait(Duration.ofSeconds(1))
                .build());
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
          .hasMessage(
              "Consumer worker cannot filter %1$s.a and %1$s.b: nats-server %2$s takes one filter"
                      .formatted(workplace.stream, binary.version())
                  + " only, several need 2.10; name one, or a wildcard for all.");
    }
  }

  private ConsumerBuilder<byte[]> unfiltered() {
    return workplace.consumer().handler(delivery -> {});
  }

  private ConsumerBuilder<byte[]> consumer() {
    return workplace.consumer().filter(workplace.subject()).handler(delivery -> {});
  }

  private ConsumerConfiguration add(ConsumerConfiguration settings) throws Exception {
    return workplace
        .management
        .addOrUpdateConsumer(workplace.stream, settings)
        .getConsumerConfiguration();
  }
}
