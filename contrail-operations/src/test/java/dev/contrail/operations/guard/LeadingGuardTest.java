package dev.contrail.operations.guard;

import static dev.contrail.operations.TestServer.NAMES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Message;
import io.nats.client.api.KeyValueConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Several guards run, and one leads. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.TestServer#binaries")
class LeadingGuardTest {
  private static final Duration LEASE = Duration.ofSeconds(3);

  private final NatsServerBinary binary;
  private Beat beat;

  LeadingGuardTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    beat = Beat.on(binary);
    beat.place
        .connection
        .keyValueManagement()
        .create(KeyValueConfiguration.builder().name(NAMES.leasesBucket()).ttl(LEASE).build());
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 1);
  }

  @AfterEach
  void close() {
    beat.close();
  }

  @Test
  void one_leads_and_the_other_says_so_and_follows_it() throws Exception {
    beat.options = beat.options.withBy("first@test");
    Guard first = beat.start();
    await().atMost(Beat.SOON).until(() -> first.status().leading());
    beat.options = beat.options.withBy("second@test");
    try (Guard second = beat.start()) {
      await()
          .atMost(Beat.SOON)
          .until(() -> beat.told.contains(new GuardEvent.LedByOther("first@test")));
      assertThat(second.status().leading()).isFalse();
      assertThat(second.status().leader()).contains("first@test");
      assertThatThrownBy(() -> beat.guardOnce())
          .isInstanceOf(ContrailException.class)
          .hasMessage("Another guard leads: first@test.");

      beat.publish("ORDERS.new", 5);
      beat.giveUp("ORDERS", "billing", Message::nak, 5);
      await().atMost(Beat.SOON).until(() -> beat.stored("ORDERS") == 0);
      assertThat(second.status().advisories()).isZero();
      assertThat(first.status().buried()).isEqualTo(5);

      first.close();
      await().atMost(Beat.SOON).until(() -> second.status().leading());
      beat.publish("ORDERS.new", 5);
      beat.giveUp("ORDERS", "billing", Message::nak, 10);
      await().atMost(Beat.SOON).until(() -> beat.stored("ORDERS") == 0);
      assertThat(second.status().buried()).isEqualTo(5);
    }
    assertThat(beat.letterIds()).hasSize(10);
  }

  @Test
  void a_leader_that_was_stopped_and_comes_back_takes_nothing_that_may_be_running()
      throws Exception {
    beat.publish("ORDERS.new", 1);
    beat.giveUp("ORDERS", "billing", Message::nak, 1);
    String url = beat.place.server.url();
    try (GuardProcess paused = new GuardProcess(List.of(url, GuardFault.AFTER_LOOK.name()))) {
      // It knows that the message may go, and is stopped before it acts on that.
      paused.await(Set.of("reached " + url));
      paused.signal("STOP");
      beat.place.management.deleteConsumer("ORDERS", "billing");
      beat.durable("ORDERS", "billing", 1, Beat.FOR_EVER);
      Message running = beat.take("ORDERS", "billing", 1).get(0);
      try (Guard next = beat.start()) {
        await().atMost(Beat.SOON).until(() -> next.status().leading());
        paused.goOn();
        paused.signal("CONT");
        // The next one is given the advisory when the first has let go of it.
        await().atMost(Beat.SOON).until(() -> next.status().waiting() == 1);
        assertThat(beat.stored("ORDERS")).as("still running").isEqualTo(1);
        running.ackSync(Beat.SOON);
        assertThat(beat.stored("ORDERS")).isZero();
      }
    }
    assertThat(beat.letterIds()).hasSize(1);
  }

  @Test
  void while_no_dead_letter_can_be_stored_nothing_is_taken() throws Exception {
    try (Guard guard = beat.start()) {
      await().atMost(Beat.SOON).until(() -> guard.status().lastSweep().isPresent());
      limitDeadLetters(1);
      beat.publish("ORDERS.new", 3);
      beat.giveUp("ORDERS", "billing", Message::nak, 3);
      await().atMost(Beat.SOON).until(() -> guard.status().failures() >= 2);
      await().atMost(Beat.SOON).until(() -> guard.status().released() == 1);
      assertThat(beat.letterIds()).hasSize(1);
      assertThat(beat.stored("ORDERS")).isEqualTo(2);
      assertThat(beat.told(GuardEvent.Trouble.class)).isNotEmpty();

      limitDeadLetters(-1);
      await().atMost(Beat.SOON).until(() -> guard.status().released() == 3);
    }
    assertThat(beat.letterIds()).hasSize(3);
    assertThat(beat.stored("ORDERS")).isZero();
  }

  private void limitDeadLetters(long most) throws Exception {
    beat.place.management.updateStream(
        StreamConfiguration.builder(
                beat.place.management.getStreamInfo(NAMES.deadLetterStream()).getConfiguration())
            .maxMessages(most)
            .build());
  }

  @Test
  void it_goes_on_when_the_server_was_away() throws Exception {
    try (Guard guard = beat.start()) {
      await().atMost(Beat.SOON).until(() -> guard.status().lastSweep().isPresent());
      beat.restartServer();
      beat.publish("ORDERS.new", 3);
      beat.giveUp("ORDERS", "billing", Message::nak, 3);
      await().atMost(Beat.SOON).until(() -> guard.status().released() == 3);
    }
    assertThat(beat.letterIds()).hasSize(3);
  }
}
