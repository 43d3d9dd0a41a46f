package dev.contrail.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.jetstream.Contrail;
import dev.contrail.operations.index.ClusterWindow;
import dev.contrail.server.NatsCluster;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.OrderedConsumerConfiguration;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A cluster makes a consumer on one server and tells so before the others know the way to it: who
 * pulls at once is told that there is nobody.
 */
@Tag("slow")
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.TestServer#binaries")
class StreamReadingClusterTest {
  private static final String STREAM = "ORDERS";
  private static final int MESSAGES = 5;
  private static final int READS = 200;
  private static final JetStreamOptions PATIENT =
      JetStreamOptions.builder().requestTimeout(Duration.ofSeconds(20)).build();

  private final NatsServerBinary binary;

  StreamReadingClusterTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @Test
  void what_a_stream_holds_can_be_read_at_any_time() throws Exception {
    try (NatsCluster cluster = NatsCluster.builder().binary(binary).start();
        Connection connection = Contrail.connect(cluster.node(1).url())) {
      connection
          .jetStreamManagement(PATIENT)
          .addStream(
              StreamConfiguration.builder().name(STREAM).subjects("o.>").replicas(3).build());
      for (int i = 0; i < MESSAGES; i++) {
        connection.jetStream(PATIENT).publish("o." + i, new byte[0]);
      }
      StreamReading reading = new StreamReading(connection, PATIENT, STREAM);

      for (int read = 1; read <= READS; read++) {
        List<String> subjects = new ArrayList<>();
        reading.read(
            "o.>",
            new OrderedConsumerConfiguration().headersOnly(true),
            message -> subjects.add(message.getSubject()));
        assertThat(subjects).as("read %d", read).containsExactly("o.0", "o.1", "o.2", "o.3", "o.4");
        assertThat(ClusterWindow.read(connection, PATIENT, STREAM, "o.>", MESSAGES))
            .as("window %d", read)
            .hasSize(MESSAGES);
      }
    }
  }
}
