package dev.contrail.operations.guard;

import static dev.contrail.operations.TestServer.NAMES;
import static dev.contrail.operations.TestServer.OPTIONS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Incarnation;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.operations.burial.Corpse;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.api.RetentionPolicy;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.TestServer#binaries")
class SweepTest {
  private static final String MAY_NOT_LOOK_AT_A =
      """
      no_auth_user: all
      authorization: {
        users: [
          { user: all, password: secret }
          { user: limited, password: secret,
            permissions: { publish: { deny: "$JS.API.CONSUMER.LIST.A" } } }
        ]
      }
      """;

  private final NatsServerBinary binary;
  private Beat beat;

  SweepTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    beat = Beat.on(binary, MAY_NOT_LOOK_AT_A);
  }

  @AfterEach
  void close() {
    beat.close();
  }

  /** So that a guard has nothing but its sweeps to find what is stranded. */
  private void forgetAdvisories() throws Exception {
    beat.place.management.purgeStream(NAMES.advisoryStream());
  }

  private void giveUpUnheard(String stream, String consumer, int count) throws Exception {
    beat.giveUp(stream, consumer, Message::nak, count);
    forgetAdvisories();
  }

  @Test
  void a_message_that_cannot_be_kept_stops_neither_those_behind_it_nor_other_streams()
      throws Exception {
    beat.guardOnce();
    beat.place.addStream("A", RetentionPolicy.WorkQueue);
    beat.place.addStream("B", RetentionPolicy.WorkQueue);
    for (String stream : new String[] {"A", "B"}) {
      beat.durable(stream, "billing", 1);
      beat.publish(stream + ".new", 3);
      giveUpUnheard(stream, "billing", 3);
    }
    String made =
        Incarnation.of(beat.place.management.getStreamInfo("A").getCreateTime().toInstant());
    beat.place
        .connection
        .jetStream()
        .publish(
            new DeadLetterId("A", "billing", made, 2).subject(NAMES.prefix()),
            "no dead letter".getBytes(UTF_8));
    beat.told.clear();

    GuardStatus status = beat.guardOnce();

    assertThat(status.buried()).isEqualTo(5);
    assertThat(status.failures()).isPositive();
    assertThat(beat.stored("A")).isEqualTo(1);
    assertThat(beat.stored("B")).isZero();
    assertThat(beat.told(GuardEvent.Swept.class)).hasSize(1);
    assertThat(beat.told(GuardEvent.Trouble.class))
        .anySatisfy(it -> assertThat(it.sentence()).contains("message 2 of A"));
  }

  @Test
  void a_stream_that_cannot_be_looked_at_keeps_nobody_from_the_others() throws Exception {
    beat.place.addStream("A", RetentionPolicy.WorkQueue);
    beat.place.addStream("B", RetentionPolicy.WorkQueue);
    for (String stream : new String[] {"A", "B"}) {
      beat.durable(stream, "billing", 1);
      beat.publish(stream + ".new", 3);
      giveUpUnheard(stream, "billing", 3);
    }

    GuardStatus status;
    try (Connection limited =
        Contrail.connect(beat.place.server.url().replace("nats://", "nats://limited:secret@"))) {
      status = Guard.once(limited, OPTIONS, NAMES, beat.options, beat.told::add, () -> false);
    }

    assertThat(status.failures()).isEqualTo(1);
    assertThat(beat.stored("A")).isEqualTo(3);
    assertThat(beat.stored("B")).isZero();
    assertThat(beat.told(GuardEvent.Swept.class)).hasSize(1);
    assertThat(beat.told(GuardEvent.Trouble.class))
        .singleElement()
        .satisfies(it -> assertThat(it.sentence()).startsWith("Sweeping stream A failed"));
  }

  /** Servers store such a subject as it is, and take it for a filter when they are asked for it. */
  @Test
  void a_subject_that_reads_as_a_filter_takes_nothing_of_others() throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "short", 2, "ORDERS.*");
    beat.durable("ORDERS", "long", -1, Beat.FOR_EVER, "ORDERS.x.y");
    beat.publish("ORDERS.z", 10);
    beat.work("ORDERS", "short", Message::ack);
    beat.publish("ORDERS.x.y", 5);
    Message running = beat.take("ORDERS", "long", 1).get(0);
    beat.place.connection.publish("ORDERS.>", "odd".getBytes(UTF_8));
    beat.place.connection.flush(Beat.SOON);
    beat.publish("ORDERS.z", 1);
    giveUpUnheard("ORDERS", "short", 1);

    GuardStatus status = beat.guardOnce();

    assertThat(status.released()).isEqualTo(1);
    assertThat(beat.letterIds()).singleElement().matches(it -> it.sequence() == 17);
    running.ackSync(Beat.SOON);
    assertThat(beat.place.management.getConsumerInfo("ORDERS", "long").getNumPending())
        .isEqualTo(4);
  }

  @Test
  void a_death_of_nobody_by_name_is_not_written_again_under_a_name() throws Exception {
    beat.options = GuardOptions.DEFAULT;
    beat.place.addStream("ORDERS", RetentionPolicy.Interest);
    beat.durable("ORDERS", "billing", 2);
    beat.durable("ORDERS", "audit", 2);
    beat.publish("ORDERS.new", 3);
    beat.work("ORDERS", "audit", Message::ack);
    giveUpUnheard("ORDERS", "billing", 3);
    beat.guardOnce();
    assertThat(beat.letterIds())
        .hasSize(3)
        .allMatch(it -> it.consumer().equals(DeadLetterId.ORPHAN));

    // Only one of them can have given up from now on.
    beat.durable("ORDERS", "audit", -1);
    beat.guardOnce();

    assertThat(beat.letterIds()).hasSize(3);
  }

  @Test
  void what_died_in_a_stream_of_that_name_before_names_nobody() throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 1);
    beat.publish("ORDERS.new", 1);
    giveUpUnheard("ORDERS", "billing", 1);
    beat.guardOnce();
    beat.place.management.deleteStream("ORDERS");
    beat.place.addStream("ORDERS", RetentionPolicy.Interest);
    beat.durable("ORDERS", "billing", 2);
    beat.durable("ORDERS", "audit", 2);
    beat.publish("ORDERS.new", 1);
    beat.work("ORDERS", "billing", Message::ack);
    giveUpUnheard("ORDERS", "audit", 1);

    beat.guardOnce();

    assertThat(beat.letterIds())
        .extracting(DeadLetterId::consumer)
        .containsExactlyInAnyOrder("billing", DeadLetterId.ORPHAN);
  }

  @Test
  void many_that_cannot_be_kept_do_not_shut_off_those_behind_them() throws Exception {
    int bad = 130;
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 2, Beat.FOR_EVER);
    beat.publish("ORDERS.new", bad + 20);
    giveUpUnheard("ORDERS", "billing", bad + 20);
    beat.options = beat.options.withSweepEvery(Duration.ofMillis(200));
    AtomicBoolean refused = new AtomicBoolean(true);

    try (Guard guard =
        Guard.start(
            beat.place.connection,
            OPTIONS,
            NAMES,
            beat.options,
            beat.told::add,
            port -> refusing(port, corpse -> refused.get() && corpse.sequence() <= bad))) {
      await().atMost(Beat.SOON).until(() -> guard.status().released() == 20);
      // And they are tried again.
      refused.set(false);
      await().atMost(Beat.SOON).until(() -> guard.status().released() == bad + 20);
    }
    assertThat(beat.letterIds()).hasSize(bad + 20);
  }

  private static GuardPort refusing(GuardPort port, Predicate<Corpse> which) {
    return (GuardPort)
        Proxy.newProxyInstance(
            GuardPort.class.getClassLoader(),
            new Class<?>[] {GuardPort.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("bury") && which.test((Corpse) arguments[0])) {
                return CompletableFuture.failedFuture(new ContrailException("It is too large."));
              }
              try {
                return method.invoke(port, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void few_large_messages_are_in_memory_at_once() throws Exception {
    beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    beat.durable("ORDERS", "billing", 1, Beat.FOR_EVER);
    byte[] large = new byte[500_000];
    for (int i = 0; i < 30; i++) {
      beat.place.connection.jetStream().publish("ORDERS.new", large);
    }
    giveUpUnheard("ORDERS", "billing", 30);
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();

    try (Guard guard =
        Guard.start(
            beat.place.connection,
            OPTIONS,
            NAMES,
            beat.options,
            beat.told::add,
            port -> counting(port, atOnce, most))) {
      await().atMost(Beat.SOON).until(() -> guard.status().released() == 30);
    }

    assertThat(beat.letterIds()).hasSize(30);
    assertThat(most.get()).isBetween(2, 9);
  }

  /** Counts the burials that are under way. */
  private static GuardPort counting(GuardPort port, AtomicInteger atOnce, AtomicInteger most) {
    return (GuardPort)
        Proxy.newProxyInstance(
            GuardPort.class.getClassLoader(),
            new Class<?>[] {GuardPort.class},
            (proxy, method, arguments) -> {
              try {
                if (!method.getName().equals("bury")) {
                  return method.invoke(port, arguments);
                }
                most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                return ((CompletableFuture<?>) method.invoke(port, arguments))
                    .whenComplete((done, failure) -> atOnce.decrementAndGet());
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
