package dev.contrail.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerFitnessTest {
  @Test
  void a_primary_that_stands_alone_is_fit() {
    assertThat(ServerFitness.refusal(Map.of("role", "master", "cluster_enabled", "0"))).isEmpty();
  }

  @Test
  void what_a_server_does_not_tell_is_taken_to_be_fine() {
    assertThat(ServerFitness.refusal(Map.of())).isEmpty();
    assertThat(ServerFitness.warnings(Map.of())).isEmpty();
  }

  @Test
  void a_cluster_and_a_replica_are_refused() {
    assertThat(ServerFitness.refusal(Map.of("role", "master", "cluster_enabled", "1")))
        .hasValueSatisfying(why -> assertThat(why).contains("is a cluster"));
    assertThat(ServerFitness.refusal(Map.of("role", "slave", "cluster_enabled", "0")))
        .hasValueSatisfying(why -> assertThat(why).contains("is a replica"));
  }

  @Test
  void eviction_is_warned_of_where_memory_is_limited() {
    assertThat(
            ServerFitness.warnings(
                Map.of("maxmemory-policy", "volatile-ttl", "maxmemory", "1000000")))
        .singleElement()
        .asString()
        .contains("maxmemory-policy volatile-ttl")
        .endsWith("use noeviction");
    assertThat(ServerFitness.warnings(Map.of("maxmemory-policy", "volatile-ttl", "maxmemory", "0")))
        .isEmpty();
    assertThat(
            ServerFitness.warnings(
                Map.of("maxmemory-policy", "noeviction", "maxmemory", "1000000")))
        .isEmpty();
  }

  @Test
  void a_server_that_forgets_at_a_restart_is_warned_of() {
    assertThat(ServerFitness.warnings(Map.of("appendonly", "no")))
        .singleElement()
        .asString()
        .endsWith("use appendonly yes");
    assertThat(ServerFitness.warnings(Map.of("appendonly", "yes"))).isEmpty();
  }
}
