package dev.contrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.RejectedMessageException;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.jetstream.ConsumerNotice;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.Store;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code contrail dlq} and {@code contrail init} against a real server. */
class DeadLetterCommandsTest extends CommandTest {
  private static final List<String> LISTED =
      List.of(
          "id",
          "state",
          "reason",
          "stream",
          "sequence",
          "consumer",
          "subject",
          "deliveries",
          "exceptionClass",
          "exceptionMessage",
          "fingerprint",
          "deadAt",
          "publishedAt",
          "payloadBytes",
          "payloadSha256",
          "appVersion",
          "redacted");

  private NatsServer server;

  @BeforeEach
  void open() {
    server = NatsServer.start();
    env.put("NATS_URL", server.url());
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void ls_lists_and_shows_in_json_under_names_that_do_not_change() throws Exception {
    die("hällo".getBytes(StandardCharsets.UTF_8), new byte[] {0, (byte) 0xFF, 'x'});

    assertThat(run("dlq", "ls", "--json")).as(err).isEqualTo(ExitCode.FINE);
    JsonNode listed = JsonMapper.shared().readTree(out);
    assertThat(listed).hasSize(2);
    assertThat(listed.get(0).propertyNames()).containsExactlyElementsOf(LISTED);
    assertThat(listed.get(0).get("state").asString()).isEqualTo("open");
    assertThat(listed.get(0).get("reason").asString()).isEqualTo("rejected");
    assertThat(listed.get(0).get("exceptionMessage").asString()).isEqualTo("told to");

    JsonNode text = show("1");
    assertThat(text.propertyNames()).contains("headers", "stackTrace", "payload", "payloadText");
    assertThat(text.get("payloadText").asString()).isEqualTo("hällo");
    assertThat(text.get("headers").get("Order").get(0).asString()).isEqualTo("7");
    JsonNode binary = show("2");
    assertThat(binary.has("payloadText")).as("text of a payload that is none").isFalse();
    assertThat(Base64.getDecoder().decode(binary.get("payload").asString()))
        .isEqualTo(new byte[] {0, (byte) 0xFF, 'x'});
  }

  @Test
  void ls_and_show_are_for_people_without_json() throws Exception {
    die("plain".getBytes(StandardCharsets.UTF_8));

    assertThat(run("dlq", "ls")).as(err).isEqualTo(ExitCode.FINE);
    assertThat(out).contains("ID", "REASON", "rejected", "RejectedMessageException: told to");
    assertThat(run("dlq", "show", id("1"))).as(err).isEqualTo(ExitCode.FINE);
    assertThat(out).contains("Payload\n  plain\n", "Headers\n  Order: 7\n", "Stack trace");
  }

  @Test
  void ls_is_cut_for_people_and_whole_for_scripts_unless_they_say() throws Exception {
    byte[][] many = new byte[60][];
    Arrays.setAll(many, i -> new byte[] {(byte) i});
    die(many);

    assertThat(run("dlq", "ls")).as(err).isEqualTo(ExitCode.FINE);
    assertThat(out)
        .contains("The newest 50 of 60; --limit 0 shows all, --after newest_60_0_11 the next.")
        .hasLineCount(52);
    assertThat(run("dlq", "ls", "--limit", "0")).as(err).isEqualTo(ExitCode.FINE);
    assertThat(out).hasLineCount(61);
    assertThat(run("dlq", "ls", "--json")).as(err).isEqualTo(ExitCode.FINE);
    assertThat(JsonMapper.shared().readTree(out)).hasSize(60);
    assertThat(run("dlq", "ls", "--json", "--limit", "7")).as(err).isEqualTo(ExitCode.FINE);
    assertThat(JsonMapper.shared().readTree(out)).hasSize(7);
  }

  @Test
  void an_empty_answer_says_what_was_looked_for() {
    assertThat(run("init")).as(err).isEqualTo(ExitCode.FINE);
    assertAnswers("No dead letters.");
    assertAnswers("No dead letters of stream Typo.", "--stream", "Typo");
    assertAnswers("No dead letters of consumer typo.", "--consumer", "typo");
    assertAnswers(
        "No dead letters of consumer billing on stream ORDERS for the reason undecodable.",
        "--stream",
        "ORDERS",
        "--consumer",
        "billing",
        "--reason",
        "undecodable");
    assertThat(run("dlq", "ls", "--stream", "Typo", "--json")).isEqualTo(ExitCode.FINE);
    assertThat(JsonMapper.shared().readTree(out)).isEmpty();
  }

  private void assertAnswers(String sentence, String... options) {
    List<String> all = new ArrayList<>(List.of("dlq", "ls"));
    all.addAll(List.of(options));
    assertThat(run(all.toArray(String[]::new))).as(err).isEqualTo(ExitCode.FINE);
    assertThat(out).isEqualTo(sentence + "\n");
  }

  @Test
  void the_payload_alone_is_written_byte_for_byte() throws Exception {
    byte[] payload = {0, (byte) 0xFF, '\r', '\n', 'x'};
    die(payload);

    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "dlq",
                "show",
                id("1"),
                "--payload",
                "--server",
                server.url())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();

    assertThat(program.getInputStream().readAllBytes()).isEqualTo(payload);
    assertThat(program.waitFor()).isZero();
  }

  @Test
  void what_is_not_there_is_said_in_one_sentence() {
    assertThat(run("dlq", "ls")).isEqualTo(ExitCode.FAILED);
    assertThat(err).contains("CONTRAIL_DLQ").contains("contrail init").hasLineCount(1);
    assertThat(run("init")).as(err).isEqualTo(ExitCode.FINE);
    assertThat(run("dlq", "show", "ORDERS.billing.abc.7")).isEqualTo(ExitCode.USAGE);
    assertThat(err)
        .isEqualTo(
            "contrail: there is no dead letter ORDERS.billing.abc.7;"
                + " contrail dlq ls lists them\n");
    assertThat(run("dlq", "show", "nonsense")).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void init_creates_once_and_says_what_is_there() {
    assertThat(run("init", "--json")).as(err).isEqualTo(ExitCode.FINE);
    assertThat(JsonMapper.shared().readTree(out))
        .hasSize(Store.values().length)
        .allSatisfy(row -> assertThat(row.get("state").asString()).isEqualTo("created"));
    assertThat(run("init", "--json")).as(err).isEqualTo(ExitCode.FINE);
    assertThat(JsonMapper.shared().readTree(out))
        .allSatisfy(row -> assertThat(row.get("state").asString()).isEqualTo("there"));
  }

  private JsonNode show(String sequence) throws Exception {
    assertThat(run("dlq", "show", id(sequence), "--json")).as(err).isEqualTo(ExitCode.FINE);
    return JsonMapper.shared().readTree(out);
  }

  private String id(String sequence) {
    assertThat(run("dlq", "ls", "--json")).as(err).isEqualTo(ExitCode.FINE);
    for (JsonNode entry : JsonMapper.shared().readTree(out)) {
      if (entry.get("sequence").asString().equals(sequence)) {
        return entry.get("id").asString();
      }
    }
    throw new AssertionError("no entry of sequence " + sequence + " in " + out);
  }

  private void die(byte[]... payloads) throws Exception {
    CountDownLatch deaths = new CountDownLatch(payloads.length);
    try (Connection connection = Contrail.connect(server.url())) {
      connection
          .jetStreamManagement()
          .addStream(
              StreamConfiguration.builder()
                  .name("ORDERS")
                  .subjects("orders.>")
                  .retentionPolicy(RetentionPolicy.WorkQueue)
                  .build());
      try (ContrailConsumer consumer =
          Contrail.consumer(connection, "ORDERS", "billing")
              .concurrency(1)
              .onNotice(
                  notice -> {
                    if (notice.kind() == ConsumerNotice.Kind.DEAD) {
                      deaths.countDown();
                    }
                  })
              .handler(
                  delivery -> {
                    throw new RejectedMessageException("told to");
                  })
              .start()) {
        for (byte[] payload : payloads) {
          connection
              .jetStream()
              .publish(
                  NatsMessage.builder()
                      .subject("orders.new")
                      .headers(new Headers().add("Order", "7"))
                      .data(payload)
                      .build());
        }
        assertThat(deaths.await(30, TimeUnit.SECONDS)).as("all died in time").isTrue();
      }
    }
  }
}
