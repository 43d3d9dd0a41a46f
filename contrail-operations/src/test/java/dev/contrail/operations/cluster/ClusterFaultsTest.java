package dev.contrail.operations.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.server.NatsServerBinaries;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A few faults; {@link LongClusterFaultsTest} has many. */
@Tag("slow")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class ClusterFaultsTest {
  @Test
  void a_cluster_that_loses_one_node_after_another_loses_nothing() throws Exception {
    assertThat(Ordeal.ofCluster(NatsServerBinaries.newest(), 4)).isEmpty();
  }

  @Test
  void nor_does_a_server_that_is_killed_again_and_again() throws Exception {
    assertThat(Ordeal.ofServer(NatsServerBinaries.newest(), 6)).isEmpty();
  }
}
