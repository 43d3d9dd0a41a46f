package dev.contrail.operations.stranded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.jetstream.Store;
import dev.contrail.operations.TestServer;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.operations.stranded.CapturedAdvisories.Captured;
import dev.contrail.server.NatsServerBinary;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CapturedAdvisoriesTest {
  private static final String SUBJECT = "$JS.EVENT.ADVISORY.CONSUMER.";

  @ParameterizedTest
  @MethodSource("dev.contrail.operations.TestServer#binaries")
  void reads_the_newest_and_tells_how_many_are_left(NatsServerBinary binary) throws Exception {
    try (TestServer place = TestServer.start(binary, Store.ADVISORIES)) {
      for (int i = 1; i <= 5; i++) {
        advise(place, "ORDERS", i);
      }
      advise(place, "NEWS", 1);
      place.connection.jetStream().publish(SUBJECT + "MSG_TERMINATED.ORDERS.c", new byte[0]);

      assertThat(read(place, 100, List.of()).exhausted()).hasSize(6);
      assertThat(read(place, 100, List.of("ORDERS")).exhausted()).hasSize(5);
      assertThat(read(place, 100, List.of("NONE"))).isEqualTo(Captured.none());
      Captured some = read(place, 3, List.of());
      assertThat(some.exhausted())
          .extracting(it -> it.message().toString())
          .containsExactlyInAnyOrder("message 5 of ORDERS/c", "message 1 of NEWS/c");
      assertThat(some.read()).isEqualTo(2);
      assertThat(some.unread()).isEqualTo(4);
      assertThat(read(place, 1, List.of("ORDERS")))
          .as("all that is new enough is of another kind")
          .isEqualTo(new Captured(List.of(), 0, 5, 0));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.contrail.operations.TestServer#binaries")
  void there_is_nothing_to_read_where_nobody_captures_them(NatsServerBinary binary)
      throws Exception {
    try (TestServer place = TestServer.start(binary)) {
      assertThat(read(place, 100, List.of())).isEqualTo(Captured.none());
    }
  }

  private static Captured read(TestServer place, int most, List<String> streams)
      throws InterruptedException {
    return new CapturedAdvisories(place.connection, TestServer.OPTIONS, TestServer.NAMES, most)
        .read(streams, new JetStreamServer(place.connection, TestServer.OPTIONS).streams());
  }

  private static void advise(TestServer place, String stream, long sequence) throws Exception {
    String json =
        """
        {"type":"io.nats.jetstream.advisory.v1.max_deliver","timestamp":"2026-01-01T00:00:00Z",\
        "stream":"%s","consumer":"c","stream_seq":%d,"deliveries":3}"""
            .formatted(stream, sequence);
    place
        .connection
        .jetStream()
        .publish(SUBJECT + "MAX_DELIVERIES." + stream + ".c", json.getBytes(UTF_8));
  }
}
