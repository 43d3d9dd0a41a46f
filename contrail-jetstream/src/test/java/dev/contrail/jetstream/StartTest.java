package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a consumer is told, and tells, when it starts. */
@OnEveryServer
class StartTest {
  private final NatsServerBinary binary;
  private NatsServer server;
  private Workplace workplace;

  StartTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    server = Servers.shared(binary);
    workplace = Workplace.workqueue(server);
  }

  @AfterEach
  void close() {
    workplace.close();
  }

  @Test
  void a_stream_that_is_missing_is_said_in_one_sentence() {
    assertThatThrownBy(
            () ->
                Contrail.consumer(workplace.connection, "NOWHERE", "worker")
                    .handler(delivery -> {})
                    .start())
        .isInstanceOf(StreamNotFoundException.class)
        .hasMessageContaining("Stream NOWHERE does not exist");
  }

  @Test
  void a_start_that_fails_half_way_leaves_no_worker_behind() {
    Connection failing =
        (Connection)
            Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) -> {
                  if (method.getName().equals("createDispatcher") && isAtWork("half-way")) {
                    throw new UnsupportedOperationException("no more dispatchers");
                  }
                  try {
                    return method.invoke(workplace.connection, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    assertThatThrownBy(
            () ->
                Contrail.consumer(failing, workplace.stream, "half-way")
                    .prefix(workplace.names.prefix())
                    .handler(delivery -> {})
                    .start())
        .isInstanceOf(UnsupportedOperationException.class);
    await().atMost(Duration.ofSeconds(10)).until(() -> !isAtWork("half-way"));
  }

  private static boolean isAtWork(String consumer) {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(it -> it.getName().equals("contrail-worker-" + consumer));
  }

  @Test
  void a_server_without_jetstream_is_said_in_one_sentence() {
    try (NatsServer plain = NatsServer.builder().binary(binary).jetStream(false).start();
        Connection connection = Contrail.connect(plain.url())) {
      assertThatThrownBy(
              () ->
                  Contrail.consumer(connection, "ORDERS", "worker").handler(delivery -> {}).start())
          .isInstanceOf(ContrailException.class)
          .hasMessageStartingWith("The NATS server at " + plain.url() + " has no JetStream");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void connections_that_are_not_fit_for_a_worker_are_warned_about() throws Exception {
    try (LogCapture log = new LogCapture()) {
      workplace.consumer().handler(delivery -> {}).start().close();
      assertThat(log.at(Level.WARN)).isEmpty();
      Options rigid =
          new Options.Builder().server(server.url()).reconnectJitter(Duration.ZERO).build();
      try (Connection plain = Nats.connect(rigid)) {
        Contrail.consumer(plain, workplace.stream, "worker")
            .prefix(workplace.names.prefix())
            .handler(delivery -> {})
            .start()
            .close();
      }
      assertThat(log.at(Level.WARN))
          .anyMatch(line -> line.contains("bytes above 127"))
          .anyMatch(line -> line.contains("gives up after 60 attempts"))
          .anyMatch(line -> line.contains("never reconnects"));
    }
  }
}
