package dev.contrail.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class MetaGroupTest {
  @Test
  void a_leader_knows_its_followers() {
    assertThat(
            MetaGroup.parse(
                """
                {
                  "streams": 0,
                  "meta_cluster": {
                    "name": "C",
                    "leader": "n2",
                    "replicas": [
                      { "name": "n1", "current": true, "active": 1 },
                      { "name": "n3", "current": false, "offline": true, "active": 2 }
                    ],
                    "cluster_size": 3
                  }
                }
                """))
        .contains(new MetaGroup(Optional.of("n2"), 3, 1));
  }

  @Test
  void a_follower_that_is_up_to_date_and_takes_no_streams_yet_does_not_count() {
    assertThat(
            MetaGroup.parse(
                """
                {
                  "meta_cluster": {
                    "leader": "n2",
                    "replicas": [
                      { "name": "n1", "current": true, "offline": true },
                      { "name": "Server name unknown at this time (x)", "current": true }
                    ],
                    "cluster_size": 3
                  }
                }
                """))
        .contains(new MetaGroup(Optional.of("n2"), 3, 0));
  }

  @Test
  void a_group_without_leader_is_seen_as_such() {
    assertThat(MetaGroup.parse("{\"meta_cluster\": {\"name\": \"C\", \"cluster_size\": 3}}"))
        .contains(new MetaGroup(Optional.empty(), 3, 0));
  }

  @Test
  void a_server_that_is_not_clustered_has_none() {
    assertThat(MetaGroup.parse("{\"streams\": 0}")).isEmpty();
  }
}
