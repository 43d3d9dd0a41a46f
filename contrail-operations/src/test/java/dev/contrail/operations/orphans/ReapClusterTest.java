package dev.contrail.operations.orphans;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.evidence.DeadLetter;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.DeadLetters;
import dev.contrail.operations.orphans.ReapPlan.Fate;
import dev.contrail.operations.stranded.Quay;
import dev.contrail.server.NatsCluster;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.Source;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A reaper whose cluster loses the leader of the stream under its hands. */
@Tag("slow")
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.stranded.Quay#servers")
class ReapClusterTest {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final int UNCLAIMED = 600;
  private static final int EXHAUSTED = 40;

  private final NatsServerBinary binary;

  ReapClusterTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @Test
  void nothing_is_lost_and_each_has_one_dead_letter() throws Exception {
    try (NatsCluster cluster = NatsCluster.builder().binary(binary).start();
        Quay quay = Quay.at(cluster.urls(), "ORDERS", "orders")) {
      quay.management.addStream(
          StreamConfiguration.builder()
              .name(quay.stream)
              .subjects(quay.stream + ".>")
              .retentionPolicy(RetentionPolicy.WorkQueue)
              .replicas(3)
              .build());
      new Provisioning(
              quay.connection,
              Quay.OPTIONS,
              InitPlan.of(quay.names).withReplicas(3),
              Provision.CREATE)
          .ensure(EnumSet.allOf(Store.class));
      quay.durable("strict", 1, "a");
      quay.publish("a", EXHAUSTED);
      quay.giveUp("strict");
      quay.publish("b", UNCLAIMED);
      AtomicBoolean killed = new AtomicBoolean();

      await()
          .atMost(SOON)
          // A cluster that chooses a leader refuses, or does not answer the test's own question.
          .ignoreExceptionsMatching(e -> e instanceof ContrailException || e instanceof IOException)
          .until(
              () -> {
                reap(quay, cluster, killed);
                return quay.stored() == 0;
              });

      assertThat(killed).isTrue();
      DeadLetters letters = new DeadLetters(quay.connection, Quay.OPTIONS, quay.names);
      List<DeadLetter> all =
          Reaps.letters(quay).stream().map(it -> letters.find(it).orElseThrow()).toList();
      assertThat(bodies(all, quay.subject("a"))).isEqualTo(published(EXHAUSTED));
      assertThat(bodies(all, quay.subject("b"))).isEqualTo(published(UNCLAIMED));
    }
  }

  /** A cluster leaves a stream out of its list while the only server that has it is away. */
  @Test
  void what_a_stream_that_is_away_has_yet_to_copy_is_left_alone() throws Exception {
    try (NatsCluster cluster = NatsCluster.builder().binary(binary).start();
        Quay quay = Quay.at(cluster.urls(), "ORDERS", "orders")) {
      quay.management.addStream(
          StreamConfiguration.builder()
              .name(quay.stream)
              .subjects(quay.stream + ".>")
              .retentionPolicy(RetentionPolicy.WorkQueue)
              .replicas(3)
              .build());
      new Provisioning(
              quay.connection,
              Quay.OPTIONS,
              InitPlan.of(quay.names).withReplicas(3),
              Provision.CREATE)
          .ensure(EnumSet.allOf(Store.class));
      quay.management.addStream(
          StreamConfiguration.builder()
              .name("ARCHIVE")
              .sources(Source.builder().name(quay.stream).build())
              .build());
      String only = quay.server.stream("ARCHIVE").orElseThrow().getClusterInfo().getLeader();
      cluster.node(only).kill();
      await()
          .atMost(SOON)
          .ignoreExceptions()
          .until(
              () -> {
                quay.publish("b", 1);
                return quay.stored() >= 3;
              });
      long stored = quay.stored();
      await().atMost(SOON).ignoreExceptions().until(() -> !isListed(quay, "ARCHIVE"));

      // For a while it answers nothing, and leaves out streams whose leader is being chosen too.
      await()
          .atMost(SOON)
          .until(
              () -> reaped(quay), it -> it.contains("streams ARCHIVE, which may copy from others"));
      assertThat(quay.stored()).isEqualTo(stored);

      cluster.node(only).startAgain();
      await()
          .atMost(SOON)
          .ignoreExceptions()
          .until(
              () ->
                  quay.management.getStreamInfo("ARCHIVE").getStreamState().getMsgCount()
                      == stored);
    }
  }

  private static String reaped(Quay quay) throws Exception {
    try {
      return Reaps.reap(quay, Fate.DELETE, Optional.empty()).reaped() + " reaped";
    } catch (ContrailException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static boolean isListed(Quay quay, String stream) {
    return quay.server.answeringStreams().stream()
        .anyMatch(it -> it.getConfiguration().getName().equals(stream));
  }

  private static void reap(Quay quay, NatsCluster cluster, AtomicBoolean killed)
      throws InterruptedException {
    ReapPlan plan = Reaps.plan(quay, Duration.ZERO, Fate.DEAD_LETTER, Optional.empty(), true);
    Reaps.reaper(quay)
        .reap(
            plan,
            () -> false,
            (done, of) -> {
              if (done > UNCLAIMED / 2 && killed.compareAndSet(false, true)) {
                killLeader(quay, cluster);
              }
            });
  }

  private static void killLeader(Quay quay, NatsCluster cluster) {
    String leader = quay.server.stream(quay.stream).orElseThrow().getClusterInfo().getLeader();
    cluster.node(leader).kill();
    cluster.node(leader).startAgain();
  }

  private static List<String> bodies(List<DeadLetter> letters, String subject) {
    return letters.stream()
        .map(DeadLetter::message)
        .filter(it -> it.subject().equals(subject))
        .map(it -> new String(it.payload(), UTF_8))
        .sorted()
        .toList();
  }

  private static List<String> published(int count) {
    return IntStream.range(0, count).mapToObj(i -> "message " + i).sorted().toList();
  }
}
