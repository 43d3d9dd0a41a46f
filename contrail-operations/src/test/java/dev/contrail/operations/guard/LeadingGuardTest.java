package dev.contrail.operations.guard;

import static dev.contrail.operations.TestServer.NAMES;
import static dev.contrail.operations.TestServer.OPTIONS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Incarnation;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Provision;
import dev.contrail.operations.burial.Burial;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamApiException;
import io.nats.client.KeyValue;
import io.nats.client.Message;
import io.nats.client.api.KeyValueConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
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
  private static final Callable<?> BREAK_DOWN =
      () -> {
        throw new NoClassDefFoundError("of a test");
      };

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
  void a_bucket_of_leases_that_somebody_deletes_is_made_again_and_one_leads() throws Exception {
    beat.options = beat.options.withBy("first@test");
    try (Guard first = beat.start()) {
      await().atMost(Beat.SOON).until(() -> first.status().leading());
      beat.options = beat.options.withBy("second@test");
      try (Guard second = beat.start()) {
        await().atMost(Beat.SOON).until(() -> second.status().leader().isPresent());

        beat.place.connection.keyValueManagement().delete(NAMES.leasesBucket());

        await()
            .atMost(Beat.SOON)
            .until(
                () ->
                    beat.told(GuardEvent.Trouble.class)
                        .anyMatch(it -> it.sentence().contains(NAMES.leasesBucket())));
        await()
            .atMost(Beat.SOON)
            .until(
                () ->
                    beat.server.stream("KV_" + NAMES.leasesBucket()).isPresent()
                        && first.status().leading() != second.status().leading());
        beat.publish("ORDERS.new", 1);
        beat.giveUp("ORDERS", "billing", Message::nak, 1);
        await().atMost(Beat.SOON).until(() -> beat.stored("ORDERS") == 0);
      }
    }
  }

  @Test
  void while_there_is_no_lease_to_be_had_nobody_is_said_to_lead() throws Exception {
    beat.guardOnce();
    beat.options = beat.options.withBy("first@test").withProvision(Provision.VERIFY);
    try (Guard first = beat.start()) {
      await().atMost(Beat.SOON).until(() -> first.status().leading());
      beat.options = beat.options.withBy("second@test");
      try (Guard second = beat.start()) {
        await().atMost(Beat.SOON).until(() -> second.status().leader().isPresent());
        beat.place.connection.keyValueManagement().delete(NAMES.leasesBucket());

        await().atMost(Beat.SOON).until(() -> second.status().leader().isEmpty());
        await().atMost(Beat.SOON).until(() -> second.status().trouble().isPresent());
        assertThat(second.status().leading()).isFalse();
      }
    }
  }

  @Test
  void what_is_no_advisory_keeps_none_from_being_read() throws Exception {
    String subject = "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.ORDERS.billing";
    for (String odd : List.of("{\"type\":5}", "[".repeat(100_000), "nothing")) {
      beat.place.connection.jetStream().publish(subject, odd.getBytes(UTF_8));
    }
    beat.publish("ORDERS.new", 3);
    beat.giveUp("ORDERS", "billing", Message::nak, 6);
    assertThat(beat.rehearse().advisories()).isEqualTo(3);

    GuardStatus status = beat.guardOnce();

    assertThat(status.failures()).isZero();
    assertThat(status.advisories()).isEqualTo(3);
    assertThat(beat.letterIds()).hasSize(3);
    assertThat(
            beat.place
                .management
                .getConsumerInfo(
                    NAMES.advisoryStream(), AdvisoryReader.durable(NAMES, beat.options))
                .getNumAckPending())
        .isZero();
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

  /** The first time that the guard asks so, this happens instead. */
  private static UnaryOperator<GuardPort> firstTime(String question, Callable<?> instead) {
    AtomicBoolean asked = new AtomicBoolean();
    return port ->
        (GuardPort)
            Proxy.newProxyInstance(
                GuardPort.class.getClassLoader(),
                new Class<?>[] {GuardPort.class},
                (proxy, method, arguments) ->
                    method.getName().equals(question) && asked.compareAndSet(false, true)
                        ? instead.call()
                        : method.invoke(port, arguments));
  }

  private Guard start(UnaryOperator<GuardPort> around) {
    return Guard.start(beat.place.connection, OPTIONS, NAMES, beat.options, beat.told::add, around);
  }

  @Test
  void an_error_in_what_an_advisory_calls_for_does_not_end_it() throws Exception {
    beat.publish("ORDERS.new", 1);
    beat.giveUp("ORDERS", "billing", Message::nak, 1);
    try (Guard guard = start(firstTime("stream", BREAK_DOWN))) {
      await().atMost(Beat.SOON).until(() -> guard.status().released() == 1);
      assertThat(guard.status().failures()).isPositive();
    }
  }

  @Test
  void an_error_in_a_sweep_does_not_end_it() throws Exception {
    beat.publish("ORDERS.new", 1);
    beat.giveUp("ORDERS", "billing", Message::nak, 1);
    beat.place.management.purgeStream(NAMES.advisoryStream());
    beat.options = beat.options.withSweepEvery(Duration.ofSeconds(1));
    try (Guard guard = start(firstTime("isCompleted", BREAK_DOWN))) {
      await().atMost(Beat.SOON).until(() -> guard.status().released() == 1);
    }
  }

  @Test
  void the_consumer_of_guards_is_made_again_when_somebody_deleted_it_unseen() throws Exception {
    try (Post post =
        new Post(
            beat.place.connection,
            OPTIONS,
            NAMES,
            beat.options,
            beat.told::add,
            UnaryOperator.identity())) {
      post.provision();
      AdvisoryReader reader = post.work(true, () -> true, () -> true).reader();
      assertThat(reader.read(false)).isZero();
      beat.place.management.deleteConsumer(
          NAMES.advisoryStream(), AdvisoryReader.durable(NAMES, beat.options));
      beat.publish("ORDERS.new", 1);
      beat.giveUp("ORDERS", "billing", Message::nak, 1);
      await()
          .atMost(Duration.ofSeconds(30))
          .ignoreException(ContrailException.class)
          .until(() -> reader.read(true) == 1);
      assertThat(reader.awaitIdle(Beat.SOON)).isTrue();
    }
    assertThat(beat.letterIds()).hasSize(1);
  }

  @Test
  void a_round_ends_when_another_has_taken_the_lead() throws Exception {
    beat.options = GuardOptions.DEFAULT;
    beat.guardOnce();
    limitDeadLetters(1);
    beat.publish("ORDERS.new", 3);
    beat.giveUp("ORDERS", "billing", Message::nak, 3);
    var bucket = beat.place.connection.keyValue(NAMES.leasesBucket());
    Instant end = Instant.now().plusSeconds(20);

    assertThatThrownBy(
            () ->
                Guard.once(
                    beat.place.connection,
                    OPTIONS,
                    NAMES,
                    beat.options,
                    event -> {
                      if (event instanceof GuardEvent.Trouble) {
                        takeLead(bucket);
                      }
                    },
                    () -> Instant.now().isAfter(end)))
        .isInstanceOf(ContrailException.class)
        .hasMessageContaining("leads");
  }

  private static void takeLead(KeyValue bucket) {
    try {
      bucket.put(Guard.TASK, "1@elsewhere/1/1 bob".getBytes(UTF_8));
    } catch (IOException | JetStreamApiException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void what_a_server_does_not_find_on_a_limits_stream_is_looked_for_once_more() throws Exception {
    beat.place.addStream("EVENTS", RetentionPolicy.Limits);
    beat.durable("EVENTS", "billing", 1);
    beat.publish("EVENTS.new", 1);
    beat.giveUp("EVENTS", "billing", Message::nak, 1);
    String incarnation =
        Incarnation.of(beat.place.management.getStreamInfo("EVENTS").getCreateTime().toInstant());
    CompletableFuture<Burial.Result> gone =
        CompletableFuture.completedFuture(
            new Burial.Result.Gone(new DeadLetterId("EVENTS", "billing", incarnation, 1)));
    try (Guard guard = start(firstTime("bury", () -> gone))) {
      await().atMost(Duration.ofSeconds(30)).until(() -> guard.status().buried() == 1);
    }
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
      beat.place.restart();
      beat.publish("ORDERS.new", 3);
      beat.giveUp("ORDERS", "billing", Message::nak, 3);
      await().atMost(Beat.SOON).until(() -> guard.status().released() == 3);
    }
    assertThat(beat.letterIds()).hasSize(3);
  }
}
