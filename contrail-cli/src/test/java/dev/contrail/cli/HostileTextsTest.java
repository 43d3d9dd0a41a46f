package dev.contrail.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.RejectedMessageException;
import dev.contrail.RetryAfterException;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.output.Terminal;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What others wrote reaches the terminal as text: whatever is in subjects, headers, payloads,
 * exceptions, names and reasons, no command prints a byte that steers, and none a line without end.
 */
class HostileTextsTest extends CommandTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int MILLION = 1_000_000;

  /** No more than a screen or two, however wide a text is. */
  private static final int LONGEST_LINE = 5_000;

  private static final List<String> TEXTS =
      List.of(
          "\u001B[2J\u001B[1;1H\u001B[31mred",
          "\u001B]0;title\u0007\u001B]52;c;ZXZpbA==\u001B\\\u001BPdcs\u001B\\",
          "\u009B31m\u009D0;title\u009C\u0090dcs",
          "bell\u0007 back\b\b\b\b delete\u007F nul\u0000 return\rover\n\u000B\f\u001B",
          "\u202Egnp.exe\u2066\u200F\u061C\uFEFF\u2028\u2029",
          "=cmd|'/C calc'!A1",
          "\uD83D half, and zalgo e" + "\u0301\u0489".repeat(3_000),
          "wide".repeat(MILLION / 4));

  private NatsServer server;
  private Connection connection;

  @BeforeEach
  void open() throws Exception {
    server = NatsServer.start();
    env.put("NATS_URL", server.url());
    connection = Contrail.connect(server.url());
    connection
        .jetStreamManagement()
        .addStream(
            StreamConfiguration.builder()
                .name("ORDERS")
                .description("\u001B[31mred\u202E")
                .subjects("orders.>")
                .retentionPolicy(RetentionPolicy.WorkQueue)
                .build());
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 80, 132})
  void no_command_prints_what_steers_a_terminal(int columns) throws Exception {
    terminal = columns == 0 ? Terminal.none() : new Terminal(true, false, columns, false);
    dieOf(TEXTS);
    List<String> ids = ids();
    assertThat(ids).hasSize(TEXTS.size() + 2);

    for (String command :
        List.of(
            "dlq ls -n 0",
            "dlq ls --grep . -n 0",
            "dlq groups",
            "dlq replay --all --dry-run",
            "dlq replay --all --yes --as \u001B[31mann --rate 1000/s --no-stop-on-return",
            "dlq plans ls",
            "audit ORDERS",
            "orphans scan",
            "orphans reap --older-than 0s",
            "ledger ls",
            "ledger show ORDERS billing",
            "doctor",
            "doctor ORDERS",
            "guard --once")) {
      run(command.split(" ", -1));
      assertInert(command);
    }
    for (String id : ids) {
      run("dlq", "note", id, TEXTS.get(0) + TEXTS.get(4) + "wide".repeat(1_000));
      assertInert("dlq note");
      assertThat(run("dlq", "show", id)).as(err).isZero();
      assertInert("dlq show " + id);
    }
    JsonNode plan = plans().get(0);
    run("dlq", "plans", "show", plan.get("plan").asString());
    assertInert("dlq plans show");
    run("dlq", "discard", ids.get(0), "--because", TEXTS.get(0), "--yes");
    assertInert("dlq discard");
  }

  @Test
  void nor_does_json_or_a_table_for_spreadsheets() throws Exception {
    dieOf(TEXTS);
    for (String id : ids()) {
      assertThat(run("dlq", "show", id, "--json")).as(err).isZero();
      assertNothingSteers("dlq show --json", out);
    }
    for (String command : List.of("dlq groups --json", "orphans scan --json", "doctor --json")) {
      run(command.split(" ", -1));
      assertNothingSteers(command, out);
    }
    assertThat(run("dlq", "ls", "--csv")).as(err).isZero();
    assertNothingSteers("dlq ls --csv", out.replace("\r\n", "\n"));
    assertThat(out.lines()).allSatisfy(line -> assertThat(line.length()).isLessThan(20_000));
    assertThat(out).contains("\"'=cmd|").doesNotContain("\"=cmd");
  }

  @Test
  void deaths_are_followed_as_text() throws Exception {
    terminal = new Terminal(true, false, 100, false);
    CompletableFuture<Integer> exit =
        CompletableFuture.supplyAsync(
            () -> run("dlq", "watch", "--count", Integer.toString(TEXTS.size())));
    dieOfAll(TEXTS, true);
    assertThat(exit.get(60, TimeUnit.SECONDS)).as(err).isEqualTo(ExitCode.FINE);
    assertInert("dlq watch");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 80, 132})
  void what_workers_tell_of_themselves_is_text(int columns) throws Exception {
    terminal = columns == 0 ? Terminal.none() : new Terminal(true, false, columns, false);
    List<ContrailConsumer> workers = new ArrayList<>();
    try {
      for (int i = 0; i < TEXTS.size(); i++) {
        String text = TEXTS.get(i);
        connection
            .jetStreamManagement()
            .addStream(
                StreamConfiguration.builder().name("S" + i).subjects("s" + i + ".>").build());
        workers.add(
            Contrail.consumer(connection, "S" + i, "billing")
                .workerName(text.substring(0, Math.min(2_000, text.length())))
                .appVersion(text)
                .handler(
                    delivery -> {
                      throw new RetryAfterException(
                          Duration.ofMinutes(10), new IllegalStateException(text));
                    })
                .start());
        connection.jetStream().publish("s" + i + ".new", new byte[] {1});
        String said = text.substring(0, Math.min(500, text.length()));
        assertThat(
                run(
                    "workers",
                    "pause",
                    "S" + i,
                    "--because",
                    said,
                    "--as",
                    said.substring(0, Math.min(200, said.length()))))
            .as(err)
            .isZero();
        assertInert("workers pause");
      }
      await()
          .atMost(SOON)
          .until(
              () -> {
                run("workers", "ls", "--json");
                assertNothingSteers("workers ls --json", out);
                return JsonMapper.shared().readTree(out).path("workers").size() == TEXTS.size();
              });
      assertThat(run("workers", "ls")).as(err).isZero();
      assertInert("workers ls");
      assertThat(out).contains("billing");
    } finally {
      workers.forEach(ContrailConsumer::close);
    }
  }

  /** As billing would, of each text, and with each text wherever a publisher can put one. */
  private void dieOf(List<String> texts) throws Exception {
    dieOfAll(texts, false);
    connection
        .jetStreamManagement()
        .addOrUpdateConsumer(
            "ORDERS",
            ConsumerConfiguration.builder()
                .durable("idle")
                .description("\u001B[31mred")
                .filterSubject("orders.idle")
                .build());
  }

  private void dieOfAll(List<String> texts, boolean watched) throws Exception {
    connection
        .jetStreamManagement()
        .addOrUpdateConsumer(
            "ORDERS",
            ConsumerConfiguration.builder()
                .durable("billing")
                .filterSubject("orders.new.>")
                .maxAckPending(20_000)
                .build());
    try (ContrailConsumer billing =
        Contrail.consumer(connection, "ORDERS", "billing")
            .appVersion("1.4\u001B[31m")
            .workerName("17@\u001B[31mhost")
            .concurrency(1)
            .handler(
                delivery -> {
                  throw new RejectedMessageException(
                      texts.get((int) Math.min(delivery.sequence() - 1, texts.size() - 1)));
                })
            .start()) {
      if (watched) {
        await()
            .atMost(SOON)
            .until(
                () ->
                    connection
                            .jetStreamManagement()
                            .getStreamInfo("CONTRAIL_DLQ")
                            .getStreamState()
                            .getConsumerCount()
                        > 0);
      }
      int sent = 0;
      for (String text : texts) {
        publish("orders.new." + subject(text), "X-Text: " + line(text), text.getBytes(UTF_8));
        sent++;
      }
      publish(
          "orders.new.invalid",
          "X-Text: \u00C3(\u00FF\u0080",
          "\u00C3(\u00FF\u001B[2J".getBytes(ISO_8859_1));
      publish("orders.new.long", "X-Long: " + "h".repeat(60_000), "{\"a\":1}".getBytes(UTF_8));
      // Nobody takes these.
      publish("orders." + subject(texts.get(0)), "A: b", new byte[0]);
      publish("orders." + subject(texts.get(4)), "A: b", new byte[0]);
      int dead = sent + 2;
      await().atMost(SOON).until(() -> billing.status().counts().dead() == dead);
    }
  }

  /** Only what the protocol itself needs is taken out. */
  private static String subject(String text) {
    String word = text.replaceAll("[\\s\u0000.>*\uD800-\uDFFF]", "");
    return word.substring(0, Math.min(word.length(), 500));
  }

  private static String line(String text) {
    return text.replaceAll("[\r\n]", "").substring(0, Math.min(text.length() - 1, 50_000) / 2);
  }

  /** On the wire: a client would refuse such headers. */
  private void publish(String subject, String header, byte[] payload) throws IOException {
    Charset charset = header.chars().allMatch(c -> c < 256) ? ISO_8859_1 : UTF_8;
    byte[] head = ("NATS/1.0\r\n" + header + "\r\n\r\n").getBytes(charset);
    URI url = URI.create(server.url());
    try (Socket socket = new Socket(url.getHost(), url.getPort())) {
      OutputStream to = socket.getOutputStream();
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      all.writeBytes(
          "CONNECT {\"verbose\":false,\"headers\":true,\"pedantic\":false}\r\n".getBytes(UTF_8));
      all.writeBytes(
          ("HPUB " + subject + " " + head.length + " " + (head.length + payload.length) + "\r\n")
              .getBytes(UTF_8));
      all.writeBytes(head);
      all.writeBytes(payload);
      all.writeBytes("\r\nPING\r\n".getBytes(UTF_8));
      to.write(all.toByteArray());
      to.flush();
      byte[] answer = new byte[65_536];
      StringBuilder said = new StringBuilder();
      while (said.indexOf("PONG") < 0) {
        int read = socket.getInputStream().read(answer);
        assertThat(read).as("the server says %s", said).isPositive();
        said.append(new String(answer, 0, read, UTF_8));
      }
      assertThat(said.toString()).doesNotContain("-ERR");
    }
  }

  private List<String> ids() {
    assertThat(run("dlq", "ls", "--json")).as(err).isZero();
    List<String> ids = new ArrayList<>();
    JsonMapper.shared().readTree(out).forEach(entry -> ids.add(entry.get("id").asString()));
    return ids;
  }

  private JsonNode plans() {
    assertThat(run("dlq", "plans", "ls", "--json")).as(err).isZero();
    return JsonMapper.shared().readTree(out);
  }

  private void assertInert(String command) {
    for (String text : List.of(out, err)) {
      assertNothingSteers(command, text);
      assertThat(text.lines())
          .as("%s prints lines that end", command)
          .allSatisfy(line -> assertThat(line.length()).isLessThan(LONGEST_LINE));
    }
    assertThat(out + err).as("%s tells something", command).isNotBlank();
  }

  private static void assertNothingSteers(String command, String text) {
    assertThat(
            text.codePoints()
                .filter(c -> c != '\n')
                .filter(HostileTextsTest::steers)
                .mapToObj(c -> String.format("U+%04X", c))
                .distinct())
        .as("%s prints %s", command, text.substring(0, Math.min(text.length(), 2_000)))
        .isEmpty();
  }

  private static boolean steers(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      default -> false;
    };
  }
}
