package dev.contrail.operations.guard;

import static dev.contrail.operations.TestServer.NAMES;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.DeadLetters;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.server.NatsCluster;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.FetchConsumeOptions;
import io.nats.client.FetchConsumer;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.PublishOptions;
import io.nats.client.api.ClusterInfo;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Two guards whose cluster loses its nodes under their hands, while consumers give up. */
@Tag("slow")
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.TestServer#binaries")
class GuardClusterTest {
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final int BATCH = 40;
  private static final JetStreamOptions PATIENT =
      JetStreamOptions.builder().requestTimeout(Duration.ofSeconds(10)).build();

  private final NatsServerBinary binary;
  private final List<GuardEvent> told = new CopyOnWriteArrayList<>();
  private final List<Connection> connections = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final Set<String> published = new TreeSet<>();
  private NatsCluster cluster;
  private Connection connection;
  private JetStreamManagement management;
  private JetStreamServer server;

  GuardClusterTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    cluster = NatsCluster.builder().binary(binary).start();
    connection = connect();
    management = connection.jetStreamManagement(PATIENT);
    server = new JetStreamServer(connection, PATIENT);
    new Provisioning(connection, PATIENT, InitPlan.of(NAMES).withReplicas(3), Provision.CREATE)
        .ensure(EnumSet.allOf(Store.class));
    stream("WORK", RetentionPolicy.WorkQueue);
    stream("NEWS", RetentionPolicy.Interest);
    durable("WORK", "billing", 2);
    durable("NEWS", "billing", 2);
    if (keepsWhatOneGaveUpOn()) {
      durable("NEWS", "audit", -1);
    }
  }

  @AfterEach
  void close() throws Exception {
    ended.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    for (Connection one : connections) {
      one.close();
    }
    cluster.close();
  }

  /** Before 2.10.26 such a message is gone as soon as the other consumer has acknowledged it. */
  private boolean keepsWhatOneGaveUpOn() {
    return !binary.version().toString().startsWith("2.9");
  }

  private Connection connect() throws IOException {
    Connection made = Contrail.connect(cluster.urls());
    connections.add(made);
    return made;
  }

  private void stream(String name, RetentionPolicy retention) throws Exception {
    management.addStream(
        StreamConfiguration.builder()
            .name(name)
            .subjects(name + ".>")
            .retentionPolicy(retention)
            .replicas(3)
            .build());
  }

  private void durable(String stream, String name, int maxDeliver) throws Exception {
    management.addOrUpdateConsumer(
        stream,
        ConsumerConfiguration.builder()
            .durable(name)
            .maxDeliver(maxDeliver)
            .ackWait(Duration.ofSeconds(2))
            .build());
  }

  @Test
  void each_death_has_one_dead_letter_and_nothing_is_stranded() throws Exception {
    GuardOptions options =
        GuardOptions.DEFAULT
            .withRelease(GuardOptions.Release.ALL)
            .withSweepEvery(Duration.ofSeconds(2));
    Connection first = connect();
    Connection second = connect();
    try (Guard one = Guard.start(first, PATIENT, NAMES, options.withBy("one@test"), told::add);
        Guard two = Guard.start(second, PATIENT, NAMES, options.withBy("two@test"), told::add)) {
      await().atMost(SOON).until(() -> one.status().leading() || two.status().leading());
      work("WORK", "billing", Message::nak);
      work("NEWS", "billing", Message::nak);
      if (keepsWhatOneGaveUpOn()) {
        work("NEWS", "audit", Message::ack);
      }

      publish(1);
      kill(cluster.node(server.stream("WORK").orElseThrow().getClusterInfo().getLeader()));
      publish(2);
      Connection leading = one.status().leading() ? first : second;
      kill(cluster.node(leading.getServerInfo().getServerName()));
      publish(3);
      kill(cluster.node(server.stream("NEWS").orElseThrow().getClusterInfo().getLeader()));
      Guard leader = one.status().leading() ? one : two;
      leader.close();
      publish(4);

      await()
          .atMost(SOON)
          .untilAsserted(
              () -> {
                assertThat(stored("WORK")).as("stranded in WORK").isZero();
                assertThat(stored("NEWS")).as("stranded in NEWS").isZero();
              });
    }
    assertThat(bodies("WORK")).containsExactlyElementsOf(published);
    assertThat(bodies("NEWS")).containsExactlyElementsOf(published);
    assertThat(ids()).allMatch(it -> it.consumer().equals("billing"));
  }

  /** Does that with all that the consumer is given, whatever happens to the cluster. */
  private void work(String stream, String consumer, Consumer<Message> with) throws IOException {
    Connection own = connect();
    Thread thread =
        new Thread(
            () -> {
              while (!ended.get()) {
                try (FetchConsumer some =
                    own.getConsumerContext(stream, consumer, PATIENT)
                        .fetch(
                            FetchConsumeOptions.builder()
                                .maxMessages(50)
                                .expiresIn(1_000)
                                .build())) {
                  Message next = some.nextMessage();
                  while (next != null) {
                    with.accept(next);
                    next = some.nextMessage();
                  }
                } catch (Exception whileItIsAway) {
                  // Asked again: the cluster is being hurt on purpose.
                  LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
                }
              }
            });
    thread.setDaemon(true);
    thread.start();
    threads.add(thread);
  }

  /** Each once, however often it takes. */
  private void publish(int batch) {
    for (int i = 0; i < BATCH; i++) {
      String body = "%d-%03d".formatted(batch, i);
      published.add(body);
      for (String stream : List.of("WORK", "NEWS")) {
        await()
            .atMost(SOON)
            .ignoreExceptionsMatching(
                it ->
                    it instanceof IOException
                        || it instanceof IllegalStateException
                        || it instanceof JetStreamApiException)
            .until(
                () ->
                    connection
                            .jetStream(PATIENT)
                            .publish(
                                stream + ".new",
                                body.getBytes(UTF_8),
                                PublishOptions.builder().messageId(body).build())
                            .getSeqno()
                        > 0);
      }
    }
  }

  private void kill(NatsServer node) {
    node.kill();
    node.startAgain();
    // Or the next one would take the quorum with it.
    await()
        .atMost(SOON)
        .ignoreExceptionsInstanceOf(ContrailException.class)
        .until(() -> server.streams().stream().allMatch(it -> isWhole(it.getClusterInfo())));
  }

  private static boolean isWhole(ClusterInfo info) {
    return info.getLeader() != null
        && info.getReplicas().size() == 2
        && info.getReplicas().stream().allMatch(it -> it.isCurrent() && !it.isOffline());
  }

  private long stored(String stream) {
    return server.stream(stream).orElseThrow().getStreamState().getMsgCount();
  }

  private List<DeadLetterId> ids() {
    return server.subjects(NAMES.deadLetterStream(), NAMES.deadLetterSubjects()).keySet().stream()
        .flatMap(it -> DeadLetterId.ofSubject(NAMES.prefix(), it).stream())
        .toList();
  }

  private List<String> bodies(String stream) {
    DeadLetters letters = new DeadLetters(connection, PATIENT, NAMES);
    return ids().stream()
        .filter(it -> it.stream().equals(stream))
        .map(it -> letters.find(it).orElseThrow())
        .map(DeadLetter::message)
        .map(it -> new String(it.payload(), UTF_8))
        .sorted()
        .toList();
  }
}
