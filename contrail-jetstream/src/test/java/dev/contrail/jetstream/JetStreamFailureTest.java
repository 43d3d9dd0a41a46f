package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.Connection;
import io.nats.client.Options;
import io.nats.client.api.ServerInfo;
import java.io.IOException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JetStreamFailureTest {
  private static String told(String lastError) {
    Connection connection =
        (Connection)
            Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) ->
                    switch (method.getName()) {
                      case "getLastError" -> lastError;
                      case "getStatus" -> Connection.Status.CONNECTED;
                      case "getOptions" -> Options.builder().inboxPrefix("_INBOX_ann").build();
                      case "getServerInfo" -> new ServerInfo("INFO {\"jetstream\":true}");
                      default -> throw new UnsupportedOperationException(method.getName());
                    });
    ContrailException told =
        JetStreamFailure.unanswered(
            connection, "look at stream ORDERS", new IOException("silence"), "STREAM.INFO.ORDERS");
    return String.valueOf(told.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Permissions Violation for Publish to \"$JS.API.STREAM.INFO.ORDERS\"",
        "permissions violation for publish to \"$js.hub.api.stream.info.orders\"",
        "Permissions Violation for Subscription to \"_INBOX_ann.x.*\""
      })
  void what_the_server_refused_of_the_request_is_named(String lastError) {
    assertThat(told(lastError))
        .startsWith("This user may not look at stream ORDERS (" + lastError + ")");
  }

  @Test
  void what_it_refused_of_something_else_is_not_the_reason() {
    assertThat(told("Permissions Violation for Publish to \"app.metrics\""))
        .startsWith("The NATS server does not answer the request to look at stream ORDERS");
  }
}
