package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.impl.Headers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which failures concern a whole store, and which a single message. */
class JetStreamApiTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 10002, 10008, 10023, 10047, 10059, 10076, 10077, 10164})
  void an_error_of_the_server_concerns_the_store(int code) {
    assertThat(JetStreamApi.isOfStore(new JetStreamErrorException(code, "no"))).isTrue();
  }

  /** Whoever runs a command is shown it, as every other failure of the server. */
  @Test
  void an_error_of_the_server_is_fit_to_be_shown() {
    assertThat(new JetStreamErrorException(10008, "JetStream system temporarily unavailable"))
        .isInstanceOf(ContrailException.class)
        .hasMessage("JetStream system temporarily unavailable (10008)");
  }

  @ParameterizedTest
  @ValueSource(ints = {10054, 10097})
  void a_message_too_large_for_its_stream_concerns_that_message(int code) {
    assertThat(JetStreamApi.isOfStore(new JetStreamErrorException(code, "no"))).isFalse();
  }

  @Test
  void silence_concerns_the_store_and_anything_else_the_message() {
    assertThat(JetStreamApi.isOfStore(new ContrailException("no answer"))).isTrue();
    assertThat(JetStreamApi.isOfStore(new IllegalArgumentException("does not fit"))).isFalse();
    assertThat(JetStreamApi.isOfStore(new NullPointerException())).isFalse();
  }

  @Test
  void what_cannot_be_sent_concerns_the_store_unless_it_is_too_large() throws Exception {
    Connection connection = Contrail.connect(server().url());
    JetStreamApi api = new JetStreamApi(connection, JetStreamOptions.defaultOptions());
    byte[] tooLarge = new byte[(int) connection.getMaxPayload() + 1];
    assertThat(JetStreamApi.isOfStore(failure(api.publish("ANY", "any", new Headers(), tooLarge))))
        .as("a message larger than the server takes")
        .isFalse();

    connection.close();
    assertThat(JetStreamApi.isOfStore(failure(api.last("ANY", "any"))))
        .as("a connection that is closed")
        .isTrue();
  }

  private static NatsServer server() {
    return Servers.shared(Servers.oldestAndNewest().get(0));
  }

  private static Throwable failure(CompletableFuture<?> future) {
    return future.handle((done, failure) -> failure).join();
  }

  @Test
  void what_a_future_wraps_a_failure_in_makes_no_difference() {
    Throwable full = new JetStreamErrorException(10077, "full");

    assertThat(JetStreamApi.isOfStore(new CompletionException(full))).isTrue();
    assertThat(JetStreamApi.isOfStore(new CompletionException(new NullPointerException())))
        .isFalse();
  }
}
