package dev.contrail.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class OrphansCommandsTest {
  @TempDir Path folder;

  @Test
  void orphans_are_listed_reaped_when_told_and_found_as_dead_letters() throws Exception {
    try (DeadLetterPlace place = new DeadLetterPlace(folder, RetentionPolicy.WorkQueue)) {
      assertThat(place.run("orphans", "scan")).isZero();
      assertThat(place.out).isEqualTo("No orphans in 1 stream with 0 messages.\n");

      place.management.addOrUpdateConsumer(
          "ORDERS",
          ConsumerConfiguration.builder().durable("billing").filterSubject("orders.new").build());
      place.connection.jetStream().publish("orders.new", new byte[10]);
      place.connection.jetStream().publish("orders.lost", new byte[10]);
      place.connection.jetStream().publish("orders.lost", new byte[10]);

      assertThat(place.run("orphans", "scan")).isEqualTo(1);
      assertThat(place.out)
          .contains("orders.lost", "unclaimed", "no consumer's filter takes this subject")
          .contains("contrail orphans reap --older-than 24h ORDERS")
          .doesNotContain("orders.new");
      assertThat(place.run("orphans", "scan", "ORDERS", "--json")).isEqualTo(1);
      JsonNode one = place.json().get("orphans").get(0);
      assertThat(one.get("class").asString()).isEqualTo("unclaimed");
      assertThat(one.get("count").asInt()).isEqualTo(2);
      assertThat(one.get("bytesEstimated").asBoolean()).isTrue();

      assertThat(place.run("orphans", "reap", "--older-than", "24h")).isZero();
      assertThat(place.out).contains("2 younger than 1d");
      assertThat(place.run("orphans", "reap", "--older-than", "0s")).isZero();
      assertThat(place.out)
          .contains("2 messages would be made dead letters")
          .contains("Nothing was touched; --yes does it.");
      assertThat(stored(place)).isEqualTo(3);

      assertThat(place.out)
          .contains("Not for reaping, since a stopped durable may want it:")
          .contains("ORDERS, 1 of orders.new: nobody has read from durable ");

      assertThat(place.run("orphans", "reap", "--older-than", "0s", "--yes", "--json")).isZero();
      assertThat(place.json().get("held").get(0).get("count").asInt()).isEqualTo(1);
      assertThat(place.json().get("reaped").asInt()).isEqualTo(2);
      assertThat(stored(place)).isEqualTo(1);
      assertThat(place.run("dlq", "ls", "--reason", "orphaned", "--json")).isZero();
      assertThat(place.out).contains("ORDERS._orphan.");
      assertThat(place.run("orphans", "scan")).isZero();
    }
  }

  @Test
  void what_it_advises_lets_go_of_what_a_guard_has_only_copied() throws Exception {
    try (DeadLetterPlace place = new DeadLetterPlace(folder, RetentionPolicy.Interest)) {
      assertThat(place.run("init")).as(place.err).isZero();
      for (String name : List.of("crm", "audit")) {
        place.management.addOrUpdateConsumer(
            "ORDERS", ConsumerConfiguration.builder().durable(name).maxDeliver(1).build());
      }
      place.connection.jetStream().publish("orders.new", new byte[10]);
      exhaust(place, "crm");
      assertThat(place.run("guard", "--once")).as(place.err).isZero();
      assertThat(place.out).contains("could be released (--release ORDERS --from-start)");

      assertThat(place.run("orphans", "scan", "--json")).isEqualTo(1);
      String advice = place.json().get("orphans").get(0).get("advice").asString();
      assertThat(advice).startsWith("contrail guard --release ORDERS");
      List<String> command = new ArrayList<>(List.of(advice.split(" ", -1)));
      command.add("--once");
      assertThat(place.run(command.subList(1, command.size()).toArray(String[]::new)))
          .as(place.err)
          .isZero();

      assertThat(place.out).contains("1 released");
    }
  }

  /** Has a consumer give up on all it is given, until the server has said so. */
  private static void exhaust(DeadLetterPlace place, String consumer) throws Exception {
    JetStreamSubscription pull =
        place.connection.jetStream().subscribe(null, PullSubscribeOptions.bind("ORDERS", consumer));
    await()
        .atMost(DeadLetterPlace.SOON)
        .until(
            () -> {
              pull.fetch(10, Duration.ofMillis(200)).forEach(Message::nak);
              return place
                      .management
                      .getStreamInfo("CONTRAIL_ADVISORIES")
                      .getStreamState()
                      .getMsgCount()
                  == 1;
            });
    pull.unsubscribe();
  }

  @Test
  void what_cannot_be_done_is_said_in_a_sentence() throws Exception {
    try (DeadLetterPlace place = new DeadLetterPlace(folder, RetentionPolicy.WorkQueue)) {
      assertThat(place.run("orphans", "reap")).isEqualTo(2);
      assertThat(place.err).contains("--older-than");
      assertThat(place.run("orphans", "reap", "--older-than", "1h", "--class", "forgotten"))
          .isEqualTo(2);
      assertThat(place.err).contains("delete the durable first");
      assertThat(place.run("orphans", "reap", "--older-than", "1h", "--class", "suspected"))
          .isEqualTo(2);
      assertThat(place.err).contains("not certain enough");
      assertThat(place.run("orphans", "reap", "--older-than", "1h", "--to", "a", "--delete"))
          .isEqualTo(2);
      assertThat(place.run("orphans", "reap", "--older-than", "1h", "--to", "contrail.dlq.x"))
          .isEqualTo(2);
      assertThat(place.err).contains("Contrail's own");
      assertThat(place.run("orphans", "reap", "--older-than", "1h", "--to", "orders.taken"))
          .isEqualTo(1);
      assertThat(place.err).contains("no consumer of stream ORDERS claims it");
      assertThat(place.run("orphans", "scan", "NONE")).isEqualTo(1);
      assertThat(place.err).contains("There is no stream NONE");
    }
  }

  private static long stored(DeadLetterPlace place) throws Exception {
    return place.management.getStreamInfo("ORDERS").getStreamState().getMsgCount();
  }
}
