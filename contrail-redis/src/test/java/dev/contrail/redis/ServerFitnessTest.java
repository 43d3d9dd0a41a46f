package dev.contrail.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerFitnessTest {
  @Test
  void a_primary_that_stands_alone_is_fit() {
    assertThat(new ServerFitness(Map.of("role", "master", "cluster_enabled", "0")).refusal())
        .isEmpty();
  }

  @Test
  void what_a_server_does_not_tell_is_taken_to_be_fine() {
    assertThat(new ServerFitness(Map.of()).refusal()).isEmpty();
    assertThat(new ServerFitness(Map.of()).warnings()).isEmpty();
  }

  @Test
  void a_cluster_and_a_replica_are_refused() {
    assertThat(new ServerFitness(Map.of("role", "master", "cluster_enabled", "1")).refusal())
        .hasValueSatisfying(why -> assertThat(why).contains("is a cluster"));
    assertThat(new ServerFitness(Map.of("role", "slave", "cluster_enabled", "0")).refusal())
        .hasValueSatisfying(why -> assertThat(why).contains("is a replica"));
  }

  @Test
  void eviction_is_warned_of_where_memory_is_limited() {
    assertThat(
            new ServerFitness(Map.of("maxmemory_policy", "volatile-ttl", "maxmemory", "1000000"))
                .warnings())
        .singleElement()
        .asString()
        .contains("maxmemory-policy volatile-ttl")
        .endsWith("use noeviction");
    assertThat(
            new ServerFitness(Map.of("maxmemory_policy", "volatile-ttl", "maxmemory", "0"))
                .warnings())
        .isEmpty();
    assertThat(
            new ServerFitness(Map.of("maxmemory_policy", "noeviction", "maxmemory", "1000000"))
                .warnings())
        .isEmpty();
  }

  @Test
  void a_server_that_forgets_at_a_restart_is_warned_of() {
    assertThat(new ServerFitness(Map.of("aof_enabled", "0")).warnings())
        .singleElement()
        .asString()
        .endsWith("use appendonly yes");
    assertThat(new ServerFitness(Map.of("aof_enabled", "1")).warnings()).isEmpty();
  }
}
