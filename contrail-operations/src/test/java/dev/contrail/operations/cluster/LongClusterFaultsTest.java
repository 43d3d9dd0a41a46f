package dev.contrail.operations.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.server.NatsServerBinaries;
import dev.contrail.server.NatsServerBinary;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Thirty faults on each server from 2.10 on. {@code -Dcontrail.server=2.9} has others, {@code
 * -Dcontrail.faults=N} more or fewer, {@code -Dcontrail.seed=N} the same ones again.
 */
@Tag("long")
@Timeout(value = 40, unit = TimeUnit.MINUTES)
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("servers")
class LongClusterFaultsTest {
  private static final int FAULTS = Integer.getInteger("contrail.faults", 30);

  private final NatsServerBinary binary;

  LongClusterFaultsTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  /**
   * On a busy machine a 2.9 cluster did not catch up after the fourth fault, so that none followed.
   */
  static List<NatsServerBinary> servers() {
    String only = System.getProperty("contrail.server", "");
    return NatsServerBinaries.available().stream()
        .filter(
            it ->
                only.isEmpty()
                    ? !it.version().toString().startsWith("2.9.")
                    : it.version().toString().startsWith(only))
        .toList();
  }

  @Test
  void a_cluster_that_loses_one_node_after_another_loses_nothing() throws Exception {
    assertThat(Ordeal.ofCluster(binary, FAULTS)).isEmpty();
  }

  @Test
  void nor_does_a_server_that_is_killed_again_and_again() throws Exception {
    assertThat(Ordeal.ofServer(binary, FAULTS)).isEmpty();
  }
}
