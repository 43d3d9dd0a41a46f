package dev.contrail.console;

import static dev.contrail.console.Premises.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.console.desk.Account;
import dev.contrail.console.notice.NoticeSettings;
import dev.contrail.console.notice.Receiver;
import dev.contrail.jetstream.Names;
import dev.contrail.operations.guard.GuardOptions;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** What a service tells of, on a real server and to a real receiver. */
class NewsTest {
  @ParameterizedTest
  @MethodSource("dev.contrail.console.Premises#servers")
  void the_first_death_of_a_group_is_told_once_and_a_full_stream(NatsServerBinary binary)
      throws Exception {
    try (Receiver receiver = new Receiver();
        Premises premises = new Premises(binary, GuardOptions.Release.NOTHING, to(receiver))) {
      premises.addQueue("ORDERS");
      premises.service.begin();
      premises.awaitReady();
      premises.exhaust("ORDERS");
      await().atMost(SOON).until(() -> receiver.got.size() == 1);
      JsonNode told = receiver.got.get(0).json();
      assertThat(told.path("kind").asString()).isEqualTo("new-group");
      assertThat(told.path("text").asString())
          .isEqualTo("A message of ORDERS died for worker of something new: exhausted.");
      assertThat(told.path("about").path("deadLetter").asString())
          .startsWith("ORDERS.worker.")
          .endsWith(".1");
      assertThat(premises.get("/").body()).as("what changed").contains("died for worker of");

      premises.exhaust("ORDERS");
      premises.awaitMetric("contrail_dead_letters_open{reason=\"exhausted\",stream=\"ORDERS\"}", 2);

      var stream = premises.management.getStreamInfo("CONTRAIL_DLQ");
      premises.management.updateStream(
          StreamConfiguration.builder(stream.getConfiguration()).maxMessages(2).build());
      await().atMost(SOON).until(() -> receiver.got.size() == 2);
      JsonNode full = receiver.got.get(1).json();
      assertThat(full.path("kind").asString()).isEqualTo("dead-letters-full");
      assertThat(full.path("about").path("stream").asString()).isEqualTo("CONTRAIL_DLQ");
      assertThat(full.path("about").path("messages").asLong()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.contrail.console.Premises#servers")
  void what_died_just_before_the_start_is_told_and_a_second_process_waits(NatsServerBinary binary)
      throws Exception {
    try (Receiver receiver = new Receiver();
        Receiver second = new Receiver();
        Premises premises = new Premises(binary, GuardOptions.Release.NOTHING, to(receiver))) {
      premises.addQueue("ORDERS");
      premises.service.begin();
      premises.awaitReady();
      Service other =
          new Service(
              new Account(
                  premises.connection,
                  JetStreamOptions.defaultOptions(),
                  new Names("contrail"),
                  ""),
              ServiceOptions.DEFAULT.withNotices(to(second)),
              "test");
      try {
        other.begin();
        await()
            .atMost(SOON)
            .until(() -> other.guard().filter(it -> it.leader().isPresent()).isPresent());
        premises.exhaust("ORDERS");
        await().atMost(SOON).until(() -> receiver.got.size() == 1);
        // The other has seen it too by now.
        await().atMost(SOON).until(() -> other.changes() > 1);
        assertThat(second.got).isEmpty();
      } finally {
        other.end(Duration.ofSeconds(10));
      }
    }
  }

  private static NoticeSettings to(Receiver receiver) {
    return new NoticeSettings(Optional.of(receiver.at("/hook")), Optional.empty());
  }
}
