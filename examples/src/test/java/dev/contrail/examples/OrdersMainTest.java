package dev.contrail.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.jetstream.Contrail;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.Test;

class OrdersMainTest {
  @Test
  void an_order_is_stored_once_and_elsewhere_while_nobody_claims_it() throws Exception {
    try (NatsServer server = NatsServer.start();
        Connection connection = Contrail.connect(server.url())) {
      JetStreamManagement management = connection.jetStreamManagement();
      stream(management, "ORDERS", "orders.>");
      stream(management, "UNCLAIMED", "unclaimed.>");
      OrdersMain.run(server.url());
      management.addOrUpdateConsumer(
          "ORDERS", ConsumerConfiguration.builder().durable("billing").build());
      OrdersMain.run(server.url());
      OrdersMain.run(server.url());

      assertThat(messages(management, "UNCLAIMED")).isEqualTo(1);
      assertThat(messages(management, "ORDERS")).isEqualTo(1);
    }
  }

  private static void stream(JetStreamManagement management, String name, String subjects)
      throws Exception {
    management.addStream(StreamConfiguration.builder().name(name).subjects(subjects).build());
  }

  private static long messages(JetStreamManagement management, String stream) throws Exception {
    return management.getStreamInfo(stream).getStreamState().getMsgCount();
  }
}
