package dev.contrail.operations.server;

import static dev.contrail.operations.TestServer.OPTIONS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.operations.TestServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.RetentionPolicy;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.TestServer#binaries")
class JetStreamServerTest {
  private final NatsServerBinary binary;
  private TestServer place;

  JetStreamServerTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    place = TestServer.start(binary);
    place.addStream("ORDERS", RetentionPolicy.Limits);
  }

  @AfterEach
  void close() {
    place.close();
  }

  private void durables(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      place.management.addOrUpdateConsumer(
          "ORDERS", ConsumerConfiguration.builder().durable("c" + i).build());
    }
  }

  @Test
  void all_consumers_are_listed_however_many_answers_that_takes() throws Exception {
    JetStreamServer server = new JetStreamServer(place.connection, OPTIONS);
    assertThat(server.consumers("ORDERS")).isEmpty();
    assertThat(server.consumers("NONE")).isEmpty();
    durables(300);
    assertThat(server.consumers("ORDERS"))
        .extracting(ConsumerInfo::getName)
        .hasSize(300)
        .doesNotHaveDuplicates();
  }

  /** A cluster answers so while the server that has a consumer does not. */
  @Test
  void a_list_that_leaves_consumers_out_is_no_answer() throws Exception {
    durables(1);
    JetStreamOptions elsewhere =
        JetStreamOptions.builder()
            .prefix("elsewhere.API")
            .requestTimeout(Duration.ofSeconds(5))
            .build();
    Connection connection = place.connection;
    Dispatcher cluster =
        connection.createDispatcher(
            asked -> {
              String all =
                  new String(
                      connection
                          .request("$JS.API.CONSUMER.LIST.ORDERS", asked.getData())
                          .join()
                          .getData(),
                      UTF_8);
              String left = all.replaceFirst("\\{", "{\"missing\":[\"billing\",\"audit\"],");
              connection.publish(asked.getReplyTo(), left.getBytes(UTF_8));
            });
    cluster.subscribe("elsewhere.API.CONSUMER.LIST.ORDERS");
    connection.flush(Duration.ofSeconds(5));
    JetStreamServer server = new JetStreamServer(connection, elsewhere);

    assertThatThrownBy(() -> server.consumers("ORDERS"))
        .isInstanceOf(ContrailException.class)
        .hasMessage(
            "The NATS server does not know at the moment how the consumers audit, billing of ORDERS"
                + " are doing; the server that has them does not answer.");
    assertThat(server.answeringConsumers("ORDERS")).hasSize(1);
  }
}
