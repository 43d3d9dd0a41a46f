package dev.contrail.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.jetstream.Contrail;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.Test;

class DemoStreamsTest {
  @Test
  void a_look_costs_the_same_however_many_have_died() throws Exception {
    try (NatsServer server = NatsServer.start();
        Connection connection = Contrail.connect(server.url())) {
      JetStreamManagement management = connection.jetStreamManagement();
      management.addStream(
          StreamConfiguration.builder().name("ORDERS").subjects("orders.>").build());
      management.addStream(
          StreamConfiguration.builder().name("CONTRAIL_DLQ").subjects("contrail.dlq.>").build());
      connection.jetStream().publish("orders.new", new byte[0]);
      bury(connection, 0, 1);
      long few = bytesOfALook(connection, new DemoStreams(1, 1));
      bury(connection, 1, 501);
      long many = bytesOfALook(connection, new DemoStreams(1, 501));

      assertThat(many).as("bytes received, after %s with one dead letter", few).isLessThan(2 * few);
    }
  }

  private static void bury(Connection connection, int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      connection.jetStream().publish("contrail.dlq.ORDERS.billing.abc." + i, new byte[10]);
    }
  }

  private static long bytesOfALook(Connection connection, DemoStreams expected) throws Exception {
    long before = connection.getStatistics().getInBytes();
    assertThat(DemoStreams.of(connection)).isEqualTo(expected);
    return connection.getStatistics().getInBytes() - before;
  }
}
