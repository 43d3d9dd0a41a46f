package dev.contrail.cli.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.server.NatsCluster;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.StreamConfiguration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code contrail work} on a stream of three replicas, where Contrail's own streams have one. */
@Tag("slow")
@Timeout(180)
final class FewerReplicasTest {
  private static final JetStreamOptions PATIENT =
      JetStreamOptions.builder().requestTimeout(Duration.ofSeconds(30)).build();

  @Test
  void is_refused_with_the_flag_that_allows_it(@TempDir Path folder) throws Exception {
    try (NatsCluster cluster = NatsCluster.start();
        Connection connection = Contrail.connect(cluster.urls())) {
      connection
          .jetStreamManagement(PATIENT)
          .addStream(
              StreamConfiguration.builder().name("ORDERS").subjects("orders").replicas(3).build());
      new Provisioning(
              connection, PATIENT, InitPlan.of(Names.DEFAULT).withReplicas(1), Provision.CREATE)
          .ensure(EnumSet.allOf(Store.class));
      String[] command = {
        "work", "ORDERS", "billing", "--exec", "true", "-s", cluster.urls(), "--timeout", "30s"
      };

      try (WorkProcess refused = WorkProcess.start(folder, command)) {
        assertThat(refused.awaitExit()).isEqualTo(ExitCode.FAILED);
        assertThat(refused.err())
            .containsPattern(
                "contrail: Stream (\\S+) is not fit for Contrail, since it has too few replicas"
                    + " \\(1 instead of 3\\) \\[CT045\\]; accept that with --allow-fewer-replicas, or mend it"
                    + " with: nats stream edit \\1 --replicas=3\n");
      }
      try (WorkProcess allowed =
          WorkProcess.start(folder, and(command, "--allow-fewer-replicas")).awaitWorking()) {
        allowed.signal("TERM");
        assertThat(allowed.awaitExit()).as(allowed.err()).isEqualTo(ExitCode.FINE);
      }
    }
  }

  private static String[] and(String[] command, String flag) {
    String[] longer = Arrays.copyOf(command, command.length + 1);
    longer[command.length] = flag;
    return longer;
  }
}
