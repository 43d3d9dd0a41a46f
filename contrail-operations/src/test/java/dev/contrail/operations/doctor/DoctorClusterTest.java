package dev.contrail.operations.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.doctor.Rule;
import dev.contrail.server.NatsCluster;
import dev.contrail.server.NatsServerBinaries;
import dev.contrail.server.NatsServerBinary;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What can be wrong only where there are several servers. */
class DoctorClusterTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  @Test
  void replicas_that_are_too_few_are_found_in_a_cluster() throws Exception {
    List<NatsServerBinary> all = NatsServerBinaries.available();
    try (NatsCluster cluster = NatsCluster.builder().binary(all.get(all.size() - 1)).start();
        Ward ward = Ward.empty(cluster.urls())) {
      ward.furnish(3);
      DoctorOptions options = Ailment.options(Duration.ZERO);
      // Streams have no leader for a moment when their replicas are changed.
      await()
          .atMost(SOON)
          .ignoreExceptionsMatching(e -> e instanceof ContrailException)
          .untilAsserted(() -> assertThat(ward.examined(options).findings()).isEmpty());

      ward.edit("CONTRAIL_DLQ", it -> it.replicas(1));
      await()
          .atMost(SOON)
          .ignoreExceptionsMatching(e -> e instanceof ContrailException)
          .untilAsserted(
              () ->
                  assertThat(Ward.codes(ward.examined(options)))
                      .isEqualTo(Ward.codes(Rule.STORE_REPLICAS)));

      ward.edit("CONTRAIL_DLQ", it -> it.replicas(3));
      ward.edit("NEWS", it -> it.replicas(1));
      await()
          .atMost(SOON)
          .ignoreExceptionsMatching(e -> e instanceof ContrailException)
          .untilAsserted(
              () ->
                  assertThat(Ward.codes(ward.examined(options)))
                      .isEqualTo(Ward.codes(Rule.SINGLE_REPLICA)));
    }
  }
}
