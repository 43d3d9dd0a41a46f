package dev.contrail.operations.doctor;

import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.jetstream.doctor.Rule;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An account with streams and consumers in which nothing is wrong: work that Contrail does, a log
 * with readers of its own and of others, and news for whoever is interested, with a guard that
 * leads.
 */
final class Ward implements AutoCloseable {
  static final String WORKED = "made by Contrail";
  private static final int ACCOUNTS = 120;
  private static final Map<NatsServerBinary, NatsServer> SHARED = new ConcurrentHashMap<>();
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static final JetStreamOptions JET_STREAM =
      JetStreamOptions.builder().requestTimeout(Duration.ofSeconds(3)).build();

  final Connection connection;
  final JetStreamManagement management;
  private final String url;
  private final int number;

  private Ward(String url, int number) throws Exception {
    this.url = url;
    this.number = number;
    this.connection = connect("user");
    this.management = connection.jetStreamManagement(JET_STREAM);
  }

  /** On a server that tests share, in an account of its own. */
  static Ward on(NatsServerBinary binary) throws Exception {
    NatsServer server =
        SHARED.computeIfAbsent(
            binary,
            chosen -> {
              NatsServer started = NatsServer.builder().binary(chosen).config(accounts()).start();
              Runtime.getRuntime().addShutdownHook(new Thread(started::close));
              return started;
            });
    Ward ward = new Ward(server.url(), NUMBERS.incrementAndGet());
    ward.furnish(1);
    return ward;
  }

  /** Without any stream. */
  static Ward empty(String urls) throws Exception {
    return new Ward(urls, 0);
  }

  /** A user of the same account, who may do less. */
  Connection connect(String user) throws Exception {
    return Contrail.connect(
        number == 0
            ? Contrail.options(url).build()
            : Contrail.options(url).userInfo(user + number, "secret").build());
  }

  /** Whether the server is of the 2.9 line. */
  boolean isOld() {
    return !connection.getServerInfo().isSameOrNewerThanVersion("2.10.0");
  }

  private static String accounts() {
    return "accounts {\n"
        + IntStream.rangeClosed(1, ACCOUNTS)
            .mapToObj(
                i ->
                    """
                    A%1$d { jetstream: enabled, users: [
                      { user: user%1$d, password: secret }
                      { user: mute%1$d, password: secret,
                        permissions: { publish: { deny: "contrail.dlq.>" } } }
                      { user: blind%1$d, password: secret,
                        permissions: { publish: { deny: "$JS.API.STREAM.INFO.LOG" } } }
                      { user: none%1$d, password: secret,
                        permissions: { publish: { deny: "$JS.API.CONSUMER.LIST.>" } } }
                    ] }
                    """
                        .formatted(i))
            .collect(Collectors.joining())
        + "}\n";
  }

  /** Makes all that a sound account has. */
  void furnish(int replicas) throws Exception {
    new Provisioning(
            connection,
            JET_STREAM,
            InitPlan.of(Names.DEFAULT).withReplicas(replicas),
            Provision.CREATE)
        .ensure(EnumSet.allOf(Store.class));
    stream("ORDERS", it -> it.subjects("orders.new", "orders.old").replicas(replicas));
    worked("ORDERS", "billing", it -> it.filterSubject("orders.new"));
    worked("ORDERS", "archive", it -> it.filterSubject("orders.old"));
    stream(
        "LOG",
        it ->
            it.subjects("log.>")
                .replicas(replicas)
                .retentionPolicy(RetentionPolicy.Limits)
                .maxAge(Duration.ofDays(7)));
    worked("LOG", "audit", it -> it);
    foreign("LOG", "mail", it -> it.maxDeliver(5));
    stream(
        "NEWS",
        it -> it.subjects("news.>").replicas(replicas).retentionPolicy(RetentionPolicy.Interest));
    foreign("NEWS", "feed", it -> it);
    lease();
  }

  void lease() throws Exception {
    connection
        .keyValue(Names.DEFAULT.leasesBucket())
        .put("guard", "1@host/1/1 somebody".getBytes(StandardCharsets.UTF_8));
  }

  void stream(String name, UnaryOperator<StreamConfiguration.Builder> change) throws Exception {
    management.addStream(
        change
            .apply(
                StreamConfiguration.builder()
                    .name(name)
                    .retentionPolicy(RetentionPolicy.WorkQueue)
                    .discardPolicy(DiscardPolicy.New)
                    .maxBytes(50_000_000)
                    .duplicateWindow(Duration.ofMinutes(2)))
            .build());
  }

  void edit(String name, UnaryOperator<StreamConfiguration.Builder> change) throws Exception {
    management.updateStream(
        change
            .apply(StreamConfiguration.builder(management.getStreamInfo(name).getConfiguration()))
            .build());
  }

  /** Deletes it and makes it again in another way. */
  void remake(String name, UnaryOperator<StreamConfiguration.Builder> change) throws Exception {
    StreamConfiguration before = management.getStreamInfo(name).getConfiguration();
    management.deleteStream(name);
    management.addStream(change.apply(StreamConfiguration.builder(before)).build());
  }

  /** A consumer as Contrail makes them. */
  void worked(String stream, String name, UnaryOperator<ConsumerConfiguration.Builder> change)
      throws Exception {
    foreign(stream, name, it -> change.apply(it.description(WORKED).maxAckPending(20_000)));
  }

  void foreign(String stream, String name, UnaryOperator<ConsumerConfiguration.Builder> change)
      throws Exception {
    management.addOrUpdateConsumer(
        stream,
        change
            .apply(ConsumerConfiguration.builder().durable(name).ackPolicy(AckPolicy.Explicit))
            .build());
  }

  void editConsumer(String stream, String name, UnaryOperator<ConsumerConfiguration.Builder> change)
      throws Exception {
    management.addOrUpdateConsumer(
        stream,
        change
            .apply(
                ConsumerConfiguration.builder(
                    management.getConsumerInfo(stream, name).getConsumerConfiguration()))
            .build());
  }

  void publish(String subject, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      connection.jetStream(JET_STREAM).publish(subject, new byte[] {1});
    }
  }

  List<Message> fetch(String stream, String consumer, int count) throws Exception {
    JetStreamSubscription pull =
        connection
            .jetStream(JET_STREAM)
            .subscribe(null, PullSubscribeOptions.bind(stream, consumer));
    return pull.fetch(count, Duration.ofSeconds(5));
  }

  /** Asks for a message and goes on asking. */
  void waitFor(String stream, String consumer) throws Exception {
    JetStreamSubscription pull =
        connection
            .jetStream(JET_STREAM)
            .subscribe(null, PullSubscribeOptions.bind(stream, consumer));
    pull.pullExpiresIn(1, Duration.ofMinutes(5));
    connection.flush(Duration.ofSeconds(5));
  }

  Diagnosis examined(DoctorOptions options) throws Exception {
    return examined(connection, options);
  }

  static Diagnosis examined(Connection connection, DoctorOptions options) throws Exception {
    return new Doctor(connection, JET_STREAM, Names.DEFAULT, options)
        .examine(Optional.empty(), (done, total) -> {});
  }

  /** The codes of what is found. */
  static Set<String> codes(Diagnosis diagnosis) {
    return diagnosis.findings().stream()
        .map(finding -> finding.rule().code())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  static Set<String> codes(Rule... rules) {
    return Arrays.stream(rules).map(Rule::code).collect(Collectors.toCollection(TreeSet::new));
  }

  @Override
  public void close() throws Exception {
    connection.close();
  }
}
