package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Subscription;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ReconnectTest {
  private static final String ACK = "$JS.ACK.ORDERS.billing.1.1.1.1700000000000000000.0";
  private static final byte[] FILLER = new byte[64 * 1024];

  @Test
  void acks_left_in_the_queue_by_a_lost_connection_are_not_sent_on_the_next() throws Exception {
    CountDownLatch mayReconnect = new CountDownLatch(1);
    try (NatsServer server = NatsServer.start();
        Connection connection =
            Contrail.connect(
                Contrail.options(server.url())
                    .pingInterval(Duration.ofMinutes(5))
                    .reconnectDelayHandler(round -> waitFor(mayReconnect))
                    .build())) {
      fillQueueOf(connection, server);
      connection.publish(ACK, Wire.bytes("+ACK"));
      connection.publish("left.over", Wire.bytes("kept"));
      server.kill();
      server.startAgain();
      try (Connection other = Nats.connect(server.url())) {
        Subscription seen = other.subscribe(">");
        other.flush(Duration.ofSeconds(10));
        mayReconnect.countDown();

        assertThat(nextUnlessFiller(seen).getSubject()).isEqualTo("left.over");
        connection.publish(ACK, Wire.bytes("+NAK"));
        connection.publish("new", Wire.bytes("sent"));
        Message ack = nextUnlessFiller(seen);
        assertThat(ack.getSubject()).isEqualTo(ACK);
        assertThat(ack.getData()).isEqualTo(Wire.bytes("+NAK"));
        assertThat(nextUnlessFiller(seen).getSubject()).isEqualTo("new");
      }
    }
  }

  @Test
  void an_ack_fails_at_once_while_the_server_is_away() throws Exception {
    try (NatsServer server = NatsServer.start();
        Connection connection = Contrail.connect(server.url())) {
      server.kill();
      await().until(() -> connection.getStatus() != Connection.Status.CONNECTED);

      assertThatThrownBy(() -> connection.publish(ACK, Wire.bytes("+ACK")))
          .isInstanceOf(IllegalStateException.class);

      server.startAgain();
      await().until(() -> connection.getStatus() == Connection.Status.CONNECTED);
      connection.publish(ACK, Wire.bytes("+ACK"));
    }
  }

  @Test
  void a_frozen_server_is_noticed_and_left() throws Exception {
    try (NatsServer server = NatsServer.start();
        Connection connection = Contrail.connect(server.url())) {
      server.freeze();

      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> connection.getStatus() != Connection.Status.CONNECTED);

      server.thaw();
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> connection.getStatus() == Connection.Status.CONNECTED);
    }
  }

  // Far more than the socket's buffers on both sides take, so that the rest stays in the queue.
  private static void fillQueueOf(Connection connection, NatsServer server) {
    server.freeze();
    for (int i = 0; i < 600; i++) {
      connection.publish("filler", FILLER);
    }
  }

  private static Duration waitFor(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Duration.ofMillis(10);
  }

  private static Message nextUnlessFiller(Subscription seen) throws InterruptedException {
    Message message = seen.nextMessage(Duration.ofSeconds(20));
    while (message != null && message.getSubject().equals("filler")) {
      message = seen.nextMessage(Duration.ofSeconds(20));
    }
    assertThat(message).as("next message").isNotNull();
    return message;
  }
}
