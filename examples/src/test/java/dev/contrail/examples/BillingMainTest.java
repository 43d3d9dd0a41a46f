package dev.contrail.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.jetstream.Contrail;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class BillingMainTest {
  @Test
  void the_ten_lines_charge_good_orders_and_keep_the_bad_ones() throws Exception {
    Queue<Order> charged = new ConcurrentLinkedQueue<>();
    try (NatsServer server = NatsServer.start();
        Connection connection = Contrail.connect(server.url())) {
      connection
          .jetStreamManagement()
          .addStream(
              StreamConfiguration.builder()
                  .name("ORDERS")
                  .subjects("orders.>")
                  .retentionPolicy(RetentionPolicy.WorkQueue)
                  .build());
      publish(connection, "{\"customer\":\"Ada\",\"cents\":1200}");
      publish(connection, "{\"customer\":\"Linus\",\"cents\":0}");

      Thread service =
          new Thread(
              () -> {
                try {
                  BillingMain.run(server.url(), (order, key) -> charged.add(order));
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      service.start();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  connection
                          .jetStreamManagement()
                          .getStreamInfo("ORDERS")
                          .getStreamState()
                          .getMsgCount()
                      == 0);
      service.interrupt();
      service.join();

      assertThat(charged).containsExactly(new Order("Ada", 1200));
      assertThat(
              connection
                  .jetStreamManagement()
                  .getStreamInfo("CONTRAIL_DLQ")
                  .getStreamState()
                  .getMsgCount())
          .as("dead letters")
          .isEqualTo(1);
    }
  }

  private static void publish(Connection connection, String order) throws Exception {
    connection.jetStream().publish("orders.new", order.getBytes(StandardCharsets.UTF_8));
  }
}
