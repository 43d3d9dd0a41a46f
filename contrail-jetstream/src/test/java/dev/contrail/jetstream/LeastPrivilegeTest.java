package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.contrail.RejectedMessageException;
import dev.contrail.event.EventAddress;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.policy.Backoff;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.JetStreamOptions;
import io.nats.client.Options;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A worker whose user may do what the printed permissions say, and nothing else. */
@OnEveryServer
class LeastPrivilegeTest {
  private final NatsServerBinary binary;
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();

  LeastPrivilegeTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @ParameterizedTest
  @EnumSource
  void the_printed_permissions_are_enough_for_every_way_a_message_can_go(Provision provision)
      throws Exception {
    String permissions = permissions(provision).config();
    try (NatsServer server = server(permissions);
        Connection admin = Contrail.connect(options(server, "admin"));
        Connection user = Contrail.connect(options(server, "worker"))) {
      prepare(admin, provision);
      try (ContrailConsumer consumer = consumer(user, provision).start()) {
        for (String word :
            new String[] {"ok", "reject", "poison", "reject " + "x".repeat(1_048_000)}) {
          admin.jetStream().publish("orders.new", word.getBytes(StandardCharsets.UTF_8));
        }
        List<EventAddress> told =
            List.of(
                EventAddress.outcome(replay(admin, 1, "billing", "ok"), 1),
                EventAddress.outcome(replay(admin, 2, "billing", "reject"), 1),
                EventAddress.run(replay(admin, 3, "billing", "poison"), 1, 1));
        DeadLetterId others = replay(admin, 4, "mail", "ok");
        await()
            .atMost(Workplace.SOON)
            .until(
                () ->
                    admin
                            .jetStreamManagement()
                            .getStreamInfo("ORDERS")
                            .getStreamState()
                            .getMsgCount()
                        == 0);
        assertThat(consumer.status().counts().lost()).isZero();
        EventStore events = events(admin);
        assertThat(told).allSatisfy(one -> assertThat(events.find(one).join()).isPresent());
        assertThat(events.events(others).join().events())
            .extracting(event -> event.fact().kind())
            .containsExactly("replay", "skipped");
      }
      assertThat(violations).as("permissions that were missing").isEmpty();
      assertThat(
              admin
                  .jetStreamManagement()
                  .getStreamInfo("KV_CONTRAIL_RETRIES")
                  .getStreamState()
                  .getMsgCount())
          .as("notes on last chances")
          .isPositive();
    }
  }

  /** Decides on the replay of some dead letter, and publishes its copy. */
  private static DeadLetterId replay(Connection admin, int sequence, String consumer, String word) {
    new Provisioning(
            admin, JetStreamOptions.defaultOptions(), InitPlan.of(Names.DEFAULT), Provision.CREATE)
        .ensure(List.of(Store.EVENTS));
    DeadLetterId entry = new DeadLetterId("ORDERS", consumer, "x", sequence);
    Step.Replay step =
        new Step.Replay("p1", "orders.new", "ORDERS", Optional.of(consumer), 0, entry, 1);
    events(admin).take(entry, step, new EventStore.Decider("ann", Instant.now(), false)).join();
    new CopyPublisher(admin, JetStreamOptions.defaultOptions())
        .publish(
            "orders.new",
            new ReplayCopy(entry, 1).headerBlock(step, new byte[0]),
            word.getBytes(StandardCharsets.UTF_8))
        .join();
    return entry;
  }

  private static EventStore events(Connection admin) {
    return new EventStore(admin, JetStreamOptions.defaultOptions(), Names.DEFAULT);
  }

  @Test
  void a_user_without_permissions_is_told_so_in_one_sentence() throws Exception {
    try (NatsServer server =
            server("permissions: { publish: \"nothing\", subscribe: \"_INBOX.>\" }");
        Connection user = Contrail.connect(options(server, "worker"))) {
      assertThatThrownBy(() -> consumer(user, Provision.VERIFY).start())
          .isInstanceOf(ContrailException.class)
          .hasMessageContaining("may not look at stream ORDERS")
          .hasMessageContaining("contrail init --print");
    }
  }

  @Test
  void a_user_who_may_not_publish_dead_letters_is_refused_at_the_start() throws Exception {
    WorkerPermissions all = permissions(Provision.VERIFY);
    List<String> rest =
        all.publish().stream().filter(subject -> !subject.startsWith("contrail.dlq.")).toList();
    try (NatsServer server = server(new WorkerPermissions(rest, all.subscribe()).config());
        Connection admin = Contrail.connect(options(server, "admin"));
        Connection user = Contrail.connect(options(server, "worker"))) {
      prepare(admin, Provision.VERIFY);
      assertThatThrownBy(() -> consumer(user, Provision.VERIFY).start())
          .isInstanceOf(ContrailException.class)
          .hasMessageContaining("this user may not publish to contrail.dlq.ORDERS.billing.>")
          .hasMessageContaining("[CT047]")
          .hasMessageContaining("contrail init --print");
      assertThat(new DeadLetterProbe(admin, Names.DEFAULT).denial("ORDERS", "billing")).isEmpty();
      assertThat(
              admin
                  .jetStreamManagement()
                  .getStreamInfo("CONTRAIL_DLQ")
                  .getStreamState()
                  .getLastSequence())
          .as("what the probes left behind")
          .isZero();
    }
  }

  @Test
  void a_user_who_may_neither_report_nor_read_pauses_works_all_the_same() throws Exception {
    WorkerPermissions all = permissions(Provision.VERIFY);
    List<String> rest =
        all.publish().stream()
            .filter(it -> !it.contains("CONTRAIL_WORKERS") && !it.contains("CONTRAIL_PAUSES"))
            .toList();
    try (NatsServer server = server(new WorkerPermissions(rest, List.of("_INBOX.>")).config());
        Connection admin = Contrail.connect(options(server, "admin"));
        Connection user = Contrail.connect(options(server, "worker"))) {
      prepare(admin, Provision.VERIFY);
      try (LogCapture log = new LogCapture();
          ContrailConsumer consumer = consumer(user, Provision.VERIFY).start()) {
        for (int i = 0; i < 50; i++) {
          admin.jetStream().publish("orders.new", "ok".getBytes(StandardCharsets.UTF_8));
        }
        await().atMost(Workplace.SOON).until(() -> consumer.status().counts().done() == 50);
        await()
            .atMost(Workplace.SOON)
            .until(
                () ->
                    log.at(Level.WARN).stream().anyMatch(it -> it.contains("for operators to see"))
                        && log.at(Level.WARN).stream().anyMatch(it -> it.contains("it works on")));
        assertThat(consumer.status().counts().lost()).isZero();
        assertThat(consumer.status().paused()).isFalse();
      }
    }
  }

  private static WorkerPermissions permissions(Provision provision) {
    return WorkerPermissions.of(
        Names.DEFAULT,
        "ORDERS",
        "billing",
        provision,
        JetStreamOptions.defaultOptions(),
        "_INBOX.");
  }

  private NatsServer server(String permissions) {
    return NatsServer.builder()
        .binary(binary)
        .config(
            """
            authorization {
              users: [
                { user: admin, password: secret }
                { user: worker, password: secret
                  %s
                }
              ]
            }
            """
                .formatted(permissions))
        .start();
  }

  private static void prepare(Connection admin, Provision provision) throws Exception {
    admin
        .jetStreamManagement()
        .addStream(
            StreamConfiguration.builder()
                .name("ORDERS")
                .subjects("orders.>")
                .retentionPolicy(RetentionPolicy.WorkQueue)
                .build());
    if (provision == Provision.VERIFY) {
      new Provisioning(
              admin,
              JetStreamOptions.defaultOptions(),
              InitPlan.of(Names.DEFAULT),
              Provision.CREATE)
          .ensure(EnumSet.allOf(Store.class));
      admin
          .jetStreamManagement()
          .addOrUpdateConsumer(
              "ORDERS",
              ConsumerConfiguration.builder()
                  .durable("billing")
                  .ackPolicy(AckPolicy.Explicit)
                  .maxAckPending(20_000)
                  .build());
    }
  }

  private static ConsumerBuilder<byte[]> consumer(Connection user, Provision provision) {
    return Contrail.consumer(user, "ORDERS", "billing")
        .jetStream(JetStreamOptions.builder().requestTimeout(Duration.ofSeconds(2)).build())
        .provision(provision)
        .deliveryLimit(3)
        .backoff(new Backoff(Duration.ofMillis(20), 2, Duration.ofMillis(100)))
        .handler(
            delivery -> {
              String word = new String(delivery.data(), StandardCharsets.UTF_8);
              if (word.startsWith("reject")) {
                throw new RejectedMessageException("told to");
              }
              if (word.equals("poison")) {
                throw new IllegalStateException("told to");
              }
            });
  }

  private Options options(NatsServer server, String user) {
    Options.Builder options = Contrail.options(server.url()).userInfo(user, "secret");
    return user.equals("admin")
        ? options.build()
        : options
            .errorListener(
                new ErrorListener() {
                  @Override
                  public void errorOccurred(Connection connection, String error) {
                    violations.add(error);
                  }
                })
            .build();
  }
}
