package dev.contrail.operations.cluster;

import static org.awaitility.Awaitility.await;

import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.audit.AuditReport;
import dev.contrail.operations.audit.AuditRequest;
import dev.contrail.operations.audit.Audits;
import dev.contrail.server.NatsCluster;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ClusterInfo;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The servers that are broken, with the streams that are worked on. */
final class Site implements AutoCloseable {
  /** Kept by limits, worked on by workers of Contrail. */
  static final String ORDERS = "ORDERS";

  /** A workqueue, worked on by workers of Contrail. */
  static final String JOBS = "JOBS";

  /** A workqueue, worked on by somebody else, and guarded. */
  static final String PARCELS = "PARCELS";

  static final List<String> WORKED = List.of(ORDERS, JOBS);
  static final String CONSUMER = "worker";
  static final Names NAMES = new Names("contrail");
  static final int MAX_DELIVER = 3;

  /** For the test's own questions, on a machine that is busy. */
  static final JetStreamOptions PATIENT =
      JetStreamOptions.builder().requestTimeout(Duration.ofSeconds(20)).build();

  /** Longer than any fault lasts. */
  private static final Duration DUPLICATE_WINDOW = Duration.ofMinutes(20);

  private static final Duration LIMIT = Duration.ofMinutes(4);

  private final List<NatsServer> nodes;
  private final Optional<NatsCluster> cluster;
  final Connection connection;
  final JetStreamManagement management;

  private Site(List<NatsServer> nodes, Optional<NatsCluster> cluster) throws Exception {
    this.nodes = nodes;
    this.cluster = cluster;
    this.connection = Contrail.connect(urls());
    this.management = connection.jetStreamManagement(PATIENT);
    for (String stream : WORKED) {
      addStream(stream);
    }
    addStream(PARCELS);
    management.addOrUpdateConsumer(
        PARCELS,
        ConsumerConfiguration.builder()
            .durable(CONSUMER)
            .ackPolicy(AckPolicy.Explicit)
            .ackWait(Duration.ofSeconds(10))
            .maxDeliver(MAX_DELIVER)
            .build());
    new Provisioning(
            connection, PATIENT, InitPlan.of(NAMES).withReplicas(replicas()), Provision.CREATE)
        .ensure(EnumSet.allOf(Store.class));
  }

  static Site ofThree(NatsServerBinary binary) throws Exception {
    NatsCluster cluster = NatsCluster.builder().binary(binary).start();
    return new Site(cluster.nodes(), Optional.of(cluster));
  }

  static Site ofOne(NatsServerBinary binary) throws Exception {
    NatsServer server = NatsServer.builder().binary(binary).start();
    return new Site(List.of(server), Optional.empty());
  }

  private void addStream(String name) throws Exception {
    management.addStream(
        StreamConfiguration.builder()
            .name(name)
            .subjects(name + ".>")
            .retentionPolicy(
                name.equals(ORDERS) ? RetentionPolicy.Limits : RetentionPolicy.WorkQueue)
            .duplicateWindow(DUPLICATE_WINDOW)
            .replicas(replicas())
            .build());
  }

  private int replicas() {
    return nodes.size();
  }

  List<NatsServer> nodes() {
    return nodes;
  }

  String urls() {
    return nodes.stream().map(NatsServer::url).collect(Collectors.joining(","));
  }

  /** The same, one of them first. */
  String urlsFrom(int node) {
    return nodes.get(node % nodes.size()).url() + "," + urls();
  }

  NatsServer node(String name) {
    return nodes.stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
  }

  /**
   * Waits until every stream and durable consumer has a leader, and followers that are up to date.
   * That servers call themselves healthy tells less: while readers come and go, some never do.
   */
  void awaitReady() {
    if (cluster.isPresent()) {
      await()
          .alias("all that is replicated is up to date")
          .atMost(LIMIT)
          .ignoreExceptions()
          .until(this::isReady);
    }
  }

  private boolean isReady() throws Exception {
    boolean ready = metaLeader().isPresent();
    for (String stream : management.getStreamNames()) {
      ready &= isReady(management.getStreamInfo(stream).getClusterInfo());
      for (ConsumerInfo consumer : management.getConsumers(stream)) {
        boolean durable = consumer.getConsumerConfiguration().getDurable() != null;
        ready &= !durable || isReady(consumer.getClusterInfo());
      }
    }
    return ready;
  }

  private boolean isReady(ClusterInfo info) {
    return info.getLeader() != null
        && info.getReplicas().size() == nodes.size() - 1
        && info.getReplicas().stream().allMatch(it -> it.isCurrent() && !it.isOffline());
  }

  Optional<NatsServer> metaLeader() {
    return cluster.flatMap(NatsCluster::metaLeader);
  }

  /** What became of every message of a stream, by what is known now. */
  AuditReport audit(String stream) throws InterruptedException {
    return new Audits(connection, PATIENT, NAMES)
        .audit(
            new AuditRequest(stream, List.of(), Optional.empty()), Instant.now(), (done, of) -> {});
  }

  /** Keeps what the servers said. */
  void keepLogs(Path folder) throws IOException {
    for (NatsServer node : nodes) {
      Files.copy(
          node.logFile(),
          folder.resolve(node.name() + ".log"),
          StandardCopyOption.REPLACE_EXISTING);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      nodes.stream().filter(NatsServer::isRunning).forEach(NatsServer::close);
      cluster.ifPresent(NatsCluster::close);
    }
  }
}
