package dev.contrail.jetstream;

import static dev.contrail.jetstream.Wire.bytes;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Options;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuardedConnectionTest {
  private static final List<String> HOSTILE =
      List.of(
          "NATS/1.0\r\nX-Name: José\r\n\r\n",
          "NATS/1.0\r\nno colon\r\n\r\n",
          "NATS/1.0\r\nX-É: v\r\n\r\n",
          "NATS/1.0 abc\r\n\r\n",
          "NATS/1.0 409 Consumer Deleted\r\n\r\n",
          "NATS/1.0 503\r\n\r\n",
          "NATS/1.0\r\nA: b\nC: d\r\n\r\n",
          "NATS/1.0\r\nunfinished",
          "x");

  private static Connection connect(Options.Builder options) throws Exception {
    Connection connection = Contrail.connect(options.build());
    connection
        .jetStreamManagement()
        .addStream(StreamConfiguration.builder().name("ORDERS").subjects("orders.>").build());
    return connection;
  }

  private static void publishHostileAndHealthy(int port) throws IOException {
    try (RawClient raw = new RawClient(port)) {
      for (String block : HOSTILE) {
        raw.publish("orders.hostile", bytes(block), bytes("hostile"));
        raw.publish("orders.healthy", bytes("NATS/1.0\r\nA: b\r\n\r\n"), bytes("healthy"));
      }
    }
  }

  private static List<Message> take(Connection connection, int count) throws Exception {
    var consumer = ConsumerConfiguration.builder().durable("billing").build();
    var subscription =
        connection
            .jetStream()
            .subscribe(
                null,
                PullSubscribeOptions.builder().stream("ORDERS").configuration(consumer).build());
    List<Message> messages = new ArrayList<>();
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              messages.addAll(subscription.fetch(count, Duration.ofMillis(500)));
              return messages.size() >= count;
            });
    subscription.unsubscribe();
    return messages;
  }

  private static void assertAllArrive(Connection connection) throws Exception {
    List<Message> messages = take(connection, 2 * HOSTILE.size());
    for (int i = 0; i < HOSTILE.size(); i++) {
      Message hostile = messages.get(2 * i);
      assertThat(hostile.getData()).isEqualTo(bytes("hostile"));
      assertThat(hostile.isJetStream()).isTrue();
      if (HOSTILE.get(i).startsWith("NATS/1.0 ") && !hostile.hasHeaders()) {
        // Newer servers take a status line away from what is published.
        assertThat(RawHeaders.of(hostile)).isEmpty();
      } else {
        assertThat(RawHeaders.of(hostile)).contains(bytes(HOSTILE.get(i)));
      }
      Message healthy = messages.get(2 * i + 1);
      assertThat(healthy.getData()).isEqualTo(bytes("healthy"));
      assertThat(RawHeaders.of(healthy)).isEmpty();
      assertThat(healthy.getHeaders().getFirst("A")).isEqualTo("b");
    }
  }

  @Test
  void hostile_messages_and_those_behind_them_arrive() throws Exception {
    try (NatsServer server = NatsServer.start();
        Connection connection = connect(Contrail.options(server.url()))) {
      publishHostileAndHealthy(server.port());

      assertAllArrive(connection);
      assertThat(connection.getStatistics().getReconnects()).isZero();
    }
  }

  @Test
  void hostile_messages_arrive_after_a_reconnect() throws Exception {
    try (NatsServer server = NatsServer.start();
        Connection connection = connect(Contrail.options(server.url()))) {
      publishHostileAndHealthy(server.port());
      server.restart();
      await().until(() -> connection.getStatistics().getReconnects() == 1);

      assertAllArrive(connection);
    }
  }

  @Test
  void hostile_messages_arrive_over_tls(@TempDir Path folder) throws Exception {
    TestCertificate certificate = new TestCertificate(folder);
    String config = certificate.serverConfig() + "\nallow_non_tls: true";
    try (NatsServer server = NatsServer.builder().config(config).start();
        Connection connection =
            connect(Contrail.options(server.url()).sslContext(certificate.clientContext()))) {
      publishHostileAndHealthy(server.port());

      assertAllArrive(connection);
    }
  }

  @Test
  void hostile_messages_arrive_over_a_websocket() throws Exception {
    int port = freePort();
    String websocket = "websocket { host: 127.0.0.1, port: " + port + ", no_tls: true }";
    try (NatsServer server = NatsServer.builder().config(websocket).start();
        Connection connection = connect(Contrail.options("ws://127.0.0.1:" + port))) {
      publishHostileAndHealthy(server.port());

      assertAllArrive(connection);
    }
  }

  @Test
  void a_subject_as_long_as_the_server_takes_arrives() throws Exception {
    String subject = "orders." + "x".repeat(4_060);
    try (NatsServer server = NatsServer.start();
        Connection connection = connect(Contrail.options(server.url()));
        RawClient raw = new RawClient(server.port())) {
      raw.publish(subject, bytes("long"));

      assertThat(take(connection, 1).get(0).getSubject()).isEqualTo(subject);
    }
  }

  @Test
  void a_subject_that_is_not_ascii_arrives_as_it_was_sent() throws Exception {
    try (NatsServer server = NatsServer.start();
        Connection connection = connect(Contrail.options(server.url()));
        RawClient raw = new RawClient(server.port())) {
      raw.publish("orders.josé", "ñ".getBytes(UTF_8));

      Message message = take(connection, 1).get(0);
      assertThat(message.getSubject()).isEqualTo("orders.josé");
      assertThat(message.getData()).isEqualTo("ñ".getBytes(UTF_8));
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
