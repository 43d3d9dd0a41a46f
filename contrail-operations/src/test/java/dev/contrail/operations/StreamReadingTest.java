package dev.contrail.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.contrail.jetstream.Contrail;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.OrderedConsumerConfiguration;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreamReadingTest {
  @Test
  void it_ends_where_the_stream_ended_while_somebody_writes_faster_than_it_reads()
      throws Exception {
    try (NatsServer server = NatsServer.start();
        Connection connection = Contrail.connect(server.url())) {
      connection
          .jetStreamManagement()
          .addStream(StreamConfiguration.builder().name("S").subjects("s.>").build());
      JetStream jetStream = connection.jetStream();
      for (int i = 0; i < 50; i++) {
        jetStream.publish("s.a", new byte[0]);
      }
      List<Long> read = new ArrayList<>();
      assertTimeoutPreemptively(
          Duration.ofSeconds(30),
          () ->
              new StreamReading(connection, JetStreamOptions.defaultOptions(), "S")
                  .read(
                      "s.>",
                      new OrderedConsumerConfiguration().deliverPolicy(DeliverPolicy.All),
                      message -> {
                        read.add(message.metaData().streamSequence());
                        publish(jetStream);
                        publish(jetStream);
                      }));
      assertThat(read).hasSizeBetween(50, 51).startsWith(1L, 2L).contains(50L);
    }
  }

  private static void publish(JetStream jetStream) {
    try {
      jetStream.publish("s.a", new byte[0]);
    } catch (IOException | JetStreamApiException e) {
      throw new IllegalStateException(e);
    }
  }
}
