package dev.contrail.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NatsClusterTest {
  @ParameterizedTest
  @MethodSource("dev.contrail.server.NatsServerBinaries#available")
  void it_places_a_stream_on_three_nodes_as_soon_as_it_is_started(NatsServerBinary binary) {
    try (NatsCluster cluster = NatsCluster.builder().binary(binary).start()) {
      assertThat(RawClient.createStream(cluster.node(1), "ORDERS", 3))
          .contains("\"num_replicas\":3", "\"leader\":");
    }
  }

  @Test
  void it_outlives_its_leader_and_takes_it_back() {
    try (NatsCluster cluster = NatsCluster.start()) {
      RawClient.createStream(cluster.node(1), "ORDERS", 3);
      NatsServer leader = cluster.metaLeader().orElseThrow();

      leader.kill();
      assertThat(
              Waiting.until(
                  Duration.ofSeconds(60),
                  () -> cluster.metaLeader().filter(now -> now != leader).isPresent()))
          .as("another leader")
          .isTrue();
      leader.startAgain();
      cluster.awaitReady();

      assertThat(RawClient.request(leader, "$JS.API.STREAM.NAMES", "")).contains("ORDERS");
      assertThat(cluster.node(leader.name())).isSameAs(leader);
    }
  }
}
