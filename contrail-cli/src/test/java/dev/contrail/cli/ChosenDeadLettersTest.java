package dev.contrail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.RejectedMessageException;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import io.nats.client.api.RetentionPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What is replayed, discarded, restored and purged is chosen as {@code contrail dlq ls} lists. */
class ChosenDeadLettersTest {
  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // opened before every test
  private DeadLetterPlace place;

  @BeforeEach
  void open() throws Exception {
    place = new DeadLetterPlace(folder, RetentionPolicy.WorkQueue);
    die("1.0", "orders.eu.new", "no such customer");
    die("2.0", "orders.us.new", "Card declined");
  }

  @AfterEach
  void close() throws Exception {
    place.close();
  }

  private void die(String version, String subject, String why) throws Exception {
    place.connection.jetStream().publish(subject, "order".getBytes(UTF_8));
    try (ContrailConsumer rejecting =
        Contrail.consumer(place.connection, "ORDERS", "billing")
            .appVersion(version)
            .handler(
                delivery -> {
                  throw version.equals("1.0")
                      ? new RejectedMessageException(why)
                      : new DeclinedException(why);
                })
            .start()) {
      await().atMost(Duration.ofSeconds(30)).until(() -> rejecting.status().counts().dead() == 1);
    }
  }

  private static final class DeclinedException extends RejectedMessageException {
    private static final long serialVersionUID = 1;

    DeclinedException(String why) {
      super(why);
    }
  }

  private List<String> listed(String... filter) {
    assertThat(run(List.of("dlq", "ls", "--json"), filter)).as(place.err).isZero();
    return ids(place.json());
  }

  private List<String> planned(String... filter) {
    run(List.of("dlq", "replay", "--dry-run", "--json"), filter);
    assertThat(place.err).isEmpty();
    return ids(place.json().get("planned"));
  }

  private int run(List<String> command, String... filter) {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of(filter));
    return place.run(all.toArray(String[]::new));
  }

  private static List<String> ids(JsonNode entries) {
    List<String> ids = new ArrayList<>();
    entries.forEach(entry -> ids.add(entry.get("id").asString()));
    return ids;
  }

  @Test
  void every_filter_of_the_list_chooses_the_same_for_a_replay() {
    List<JsonNode> newestFirst = place.entries();
    String us = newestFirst.get(0).get("id").asString();
    String eu = newestFirst.get(1).get("id").asString();
    String usDiedAt = newestFirst.get(0).get("deadAt").asString();

    assertChosen(us, "--subject", "orders.us.>");
    assertChosen(eu, "--exception", "RejectedMessageException");
    assertChosen(us, "--text", "card DECLINED");
    assertChosen(eu, "--app-version", "1.0");
    assertChosen(us, "--from", usDiedAt);
    assertChosen(eu, "--until", usDiedAt);
    assertChosen(us, "--group", newestFirst.get(0).get("fingerprint").asString());
    assertThat(planned("--since", "1h", "--state", "open")).containsExactly(eu, us);
    assertThat(planned("--app-version", "3.0")).isEmpty();
  }

  private void assertChosen(String id, String... filter) {
    assertThat(listed(filter)).as("listed by %s", List.of(filter)).containsExactly(id);
    assertThat(planned(filter)).as("planned by %s", List.of(filter)).containsExactly(id);
  }

  @Test
  void to_is_a_subject_for_a_replay_and_a_time_elsewhere() throws Exception {
    String later = Instant.now().plusSeconds(3600).toString();
    assertThat(run(List.of("dlq", "replay", "--all", "--dry-run", "--json"), "--to", "orders.eu.x"))
        .as(place.err)
        .isZero();
    assertThat(place.json().get("planned").get(0).get("subject").asString())
        .isEqualTo("orders.eu.x");
    assertThat(listed("--to", later)).hasSize(2);
    assertThat(run(List.of("dlq", "discard", "--because", "x", "--yes"), "--to", later))
        .as(place.err)
        .isZero();
    assertThat(listed("--state", "discarded")).hasSize(2);
  }

  @Test
  void what_is_asked_and_written_down_says_what_was_chosen() {
    assertThat(
            run(
                List.of("dlq", "discard", "--because", "x"),
                "--stream",
                "ORDERS",
                "--subject",
                "orders.us.>",
                "--exception",
                "ChosenDeadLettersTest$DeclinedException",
                "--text",
                "card",
                "--app-version",
                "2.0",
                "--since",
                "2h",
                "--state",
                "open"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(place.err)
        .contains(
            "Discard 1 dead letter, all of stream ORDERS to subject orders.us.> that died of"
                + " ChosenDeadLettersTest$DeclinedException with the text 'card' of version 2.0 of"
                + " the last 2h in state open?");
  }

  @Test
  void decisions_take_the_filters_too() {
    assertThat(run(List.of("dlq", "discard", "--because", "x", "--yes"), "--text", "card"))
        .as(place.err)
        .isZero();
    assertThat(listed("--state", "open")).hasSize(1);
    assertThat(run(List.of("dlq", "restore", "--yes"), "--state", "resolved")).isZero();
    assertThat(listed("--state", "open")).hasSize(1);
    assertThat(
            run(
                List.of("dlq", "purge", "--older-than", "0s", "--force", "--yes"),
                "--state",
                "discarded"))
        .as(place.err)
        .isZero();
    assertThat(place.entries()).hasSize(1);
    assertThat(listed("--state", "open")).hasSize(1);
  }

  @Test
  void a_copy_that_waits_for_its_worker_is_replayed_here_as_in_the_list() {
    assertThat(run(List.of("dlq", "replay", "--yes"), "--text", "card")).as(place.err).isZero();
    assertThat(listed("--state", "replayed")).hasSize(1);
    assertThat(
            run(
                List.of("dlq", "discard", "--because", "x", "--force", "--yes", "--json"),
                "--state",
                "replayed"))
        .as(place.err)
        .isZero();
    assertThat(place.json().get("discarded")).hasSize(1);
  }

  @Test
  void a_malformed_filter_is_refused_and_nothing_is_done() {
    assertRefused("--state: 'lost' is no state", "--state", "lost");
    assertRefused(
        "--since and --from both say where to begin",
        "--since",
        "1h",
        "--from",
        "2026-01-01T00:00");
    assertRefused(
        "--until 2026-01-01T00:00:00Z is not after the time to begin with",
        "--from",
        "2026-02-01T00:00",
        "--until",
        "2026-01-01T00:00");
    assertThat(listed("--state", "open")).hasSize(2);
  }

  private void assertRefused(String sentence, String... filter) {
    assertThat(run(List.of("dlq", "replay", "--yes"), filter)).isEqualTo(ExitCode.USAGE);
    assertThat(place.err).contains(sentence).hasLineCount(1);
  }
}
