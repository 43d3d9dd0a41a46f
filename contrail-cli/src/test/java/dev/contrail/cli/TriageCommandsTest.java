package dev.contrail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.RejectedMessageException;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Terminal;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Fact;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.Names;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Finding dead letters and looking at them, against real servers. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.cli.DeadLetterPlace#servers")
class TriageCommandsTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Instant NOON = Instant.parse("2026-05-04T12:00:00Z");

  @TempDir Path folder;
  private final NatsServerBinary binary;
  private NatsServer server;
  private Connection connection;
  private String out = "";
  private String err = "";

  TriageCommandsTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    server = NatsServer.builder().binary(binary).start();
    connection = Contrail.connect(server.url());
    connection
        .jetStreamManagement()
        .addStream(StreamConfiguration.builder().name("ORDERS").subjects("orders.>").build());
    assertThat(run("init")).as(err).isEqualTo(ExitCode.FINE);
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
    server.close();
  }

  @Test
  void ls_takes_every_filter() throws Exception {
    die("{\"customer\":\"acme\"}", "{\"customer\":\"zenith\"}");
    decide(id(1), new Step.Discarded("known"));

    assertLists(List.of("2", "1"));
    assertLists(List.of("1"), "--state", "discarded");
    assertLists(List.of("2"), "--state", "open,replayed");
    assertLists(List.of("2", "1"), "--subject", "orders.*");
    assertLists(List.of(), "--subject", "other.>");
    assertLists(List.of("2", "1"), "--exception", "RejectedMessageException");
    assertLists(List.of(), "--exception", "MessageException");
    assertLists(List.of("2"), "--text", "NUMBER 2");
    assertLists(List.of("2", "1"), "--since", "1h");
    assertLists(List.of(), "--to", "2020-01-01");
    assertLists(List.of("2", "1"), "--from", "2020-01-01T10:00");
    assertLists(List.of("2", "1"), "--app-version", "1.4");
    assertLists(List.of(), "--app-version", "1.5");
    assertLists(List.of("1"), "--grep", "acme");
    assertLists(List.of("2"), "--grep", "cust.*zen.th");
    assertLists(List.of("1", "2"), "--sort", "oldest");
    assertLists(List.of("2"), "--limit", "1");
    String fingerprint =
        JsonMapper.shared().readTree(json("dlq", "ls")).get(0).get("fingerprint").asString();
    assertLists(List.of("2", "1"), "--group", fingerprint);
    assertLists(List.of(), "--group", "0000");
    assertThat(json("dlq", "ls", "--limit", "2")).contains("\"state\" : \"discarded\"");
  }

  @Test
  void pages_follow_each_other() throws Exception {
    die("a", "b", "c");

    assertThat(run("dlq", "ls", "--limit", "2")).as(err).isEqualTo(ExitCode.FINE);
    String place = out.replaceAll("(?s).*--after (\\S+) the next.*", "$1");
    assertThat(run("dlq", "ls", "--limit", "2", "--after", place)).as(err).isZero();
    assertThat(out).contains(id(1).toString()).doesNotContain(id(2).toString());
  }

  @Test
  void show_tells_the_history() throws Exception {
    die("a");
    DeadLetterId id = id(1);
    decide(id, new Step.Discarded("no longer wanted"));
    assertThat(
            events()
                .create(
                    new Event(
                        EventAddress.note(id, "n1"), NOON, "bob@host", new Fact.Note("call them")))
                .join())
        .isTrue();

    assertThat(run("dlq", "show", id.toString())).as(err).isEqualTo(ExitCode.FINE);
    assertThat(out)
        .contains(
            "state         discarded\n",
            """
            History
              2026-05-04 12:00:00  ann@host  discarded: no longer wanted
              2026-05-04 12:00:00  bob@host  note: call them
            """);
    JsonNode shown = JsonMapper.shared().readTree(json("dlq", "show", id.toString()));
    assertThat(shown.get("state").asString()).isEqualTo("discarded");
    assertThat(shown.get("events")).hasSize(2);
    assertThat(shown.get("events").get(0).get("event").asString()).isEqualTo("discarded");
    assertThat(shown.get("events").get(0).get("by").asString()).isEqualTo("ann@host");
    assertThat(shown.get("events").get(0).get("text").asString()).isEqualTo("no longer wanted");
  }

  @Test
  void groups_tell_how_many_died_of_what() throws Exception {
    die("a", "b", "c");
    decide(id(1), new Step.Discarded("known"));

    JsonNode groups = JsonMapper.shared().readTree(json("dlq", "groups"));
    assertThat(groups).hasSize(1);
    assertThat(groups.get(0).get("count").asInt()).isEqualTo(3);
    assertThat(groups.get(0).get("open").asInt()).isEqualTo(2);
    assertThat(groups.get(0).get("streams").get(0).asString()).isEqualTo("ORDERS");
    assertThat(groups.get(0).get("appVersions").get(0).asString()).isEqualTo("1.4");
    assertThat(groups.get(0).get("example").get("id").asString()).isEqualTo(id(3).toString());
    assertThat(run("dlq", "groups", "--state", "open")).as(err).isEqualTo(ExitCode.FINE);
    assertThat(out).contains("GROUP", "COUNT", "1.4", "RejectedMessageException: number");
    assertThat(run("dlq", "groups", "--stream", "NONE")).isEqualTo(ExitCode.FINE);
    assertThat(out).isEqualTo("No dead letters of stream NONE.\n");
  }

  @Test
  void a_dry_run_fits_a_terminal_of_80_columns_and_shortens_nothing() throws Exception {
    die("a", "b");
    DeadLetterId first = id(1);

    for (int columns : List.of(80, 160)) {
      Terminal terminal = new Terminal(true, true, columns, false);
      assertThat(run(terminal, "dlq", "replay", "--all", "--dry-run")).as(err).isZero();
      assertThat(out.lines())
          .as("a dry run at %d columns", columns)
          .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(columns));
      assertThat(out).contains(first + "#1 ", " orders.new ", " of ORDERS for billing ");
    }
  }

  @Test
  void a_terminal_of_80_columns_is_enough() throws Exception {
    die("a", "b");

    for (String command : List.of("ls", "groups")) {
      for (int columns : List.of(80, 120)) {
        assertThat(run(new Terminal(true, true, columns, false), "dlq", command)).isZero();
        assertThat(out.lines())
            .as("%s at %d columns", command, columns)
            .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(columns));
        assertThat(out).as("what happened").contains("number 2");
      }
    }
    assertThat(out).as("the trend on a terminal").contains("TREND", "█");
  }

  @Test
  void what_is_secret_is_not_shown() throws Exception {
    die("{\"card\":{\"number\":\"4111222233334444\"},\"customer\":\"acme\"}");
    String id = id(1).toString();
    String[] rules = {"--redact-header", "order,X-Other", "--redact-json", "$.card.number"};

    assertThat(run(with(rules, "dlq", "show", id))).as(err).isEqualTo(ExitCode.FINE);
    assertThat(out)
        .contains("acme", "Order: [redacted]")
        .doesNotContain("4111222233334444", "Order: 7");
    assertThat(json(with(rules, "dlq", "show", id)))
        .contains("acme", "\"redacted\" : true")
        .doesNotContain("4111222233334444");
    assertLists(List.of("1"), with(rules, "--grep", "acme"));
    assertLists(List.of(), with(rules, "--grep", "4111222233334444"));
    Files.writeString(folder.resolve("contrail.yaml"), "redact-json: [$.customer, $..number]\n");
    assertThat(run("dlq", "show", id)).as(err).isEqualTo(ExitCode.FINE);
    assertThat(out).contains("Order: 7").doesNotContain("4111222233334444", "acme");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--subject orders..new",
        "--state closed",
        "--since yesterday",
        "--from noon",
        "--sort best",
        "--after nowhere",
        "--grep (",
        "--since 1h --from 2020-01-01",
        "--from 2021-01-01 --to 2020-01-01",
        "--grep a --sort size",
        "--redact-json $[ --grep a",
        "--limit -1"
      })
  void bad_input_is_refused_in_one_sentence(String options) {
    List<String> all = new ArrayList<>(List.of("dlq", "ls"));
    all.addAll(List.of(options.split(" ", -1)));

    assertThat(run(all.toArray(String[]::new))).as(out).isEqualTo(ExitCode.USAGE);
    assertThat(err).startsWith("contrail: ").hasLineCount(1);
  }

  @Test
  void what_is_exported_is_imported_elsewhere() throws Exception {
    die("first", "second");
    decide(id(1), new Step.Discarded("known"));
    String shown = json("dlq", "show", id(1).toString());

    assertThat(run("dlq", "export", "dead.jsonl")).as(err).isEqualTo(ExitCode.FINE);
    assertThat(out).isEmpty();
    assertThat(err).endsWith("contrail: 2 exported.\n");
    assertThat(Files.readAllLines(folder.resolve("dead.jsonl"))).hasSize(2);
    assertThat(run("dlq", "export", "--folder", "dead", "--state", "open")).as(err).isZero();
    assertThat(folder.resolve("dead")).isDirectoryContaining("glob:**" + id(2) + ".json");
    assertThat(run("dlq", "export", "--text", "number 1")).as(err).isZero();
    assertThat(out).hasLineCount(1).startsWith("{\"exportVersion\":1,");

    assertThat(run("dlq", "import", "dead", "--prefix", "other")).as(err).isZero();
    assertThat(out).startsWith("1 imported, 0 were there.");
    assertThat(run("dlq", "import", "dead.jsonl", "--prefix", "other", "--as", "bob")).isZero();
    assertThat(out).startsWith("1 imported, 1 was there.");
    JsonNode before = JsonMapper.shared().readTree(shown);
    JsonNode after =
        JsonMapper.shared()
            .readTree(json("dlq", "show", before.get("id").asString(), "--prefix", "other"));
    for (String same : List.of("state", "payload", "headers", "stackTrace", "deadAt")) {
      assertThat(after.get(same)).as(same).isEqualTo(before.get(same));
    }
    assertThat(after.get("events")).hasSize(2);
    assertThat(after.get("events").get(1).get("by").asString()).isEqualTo("bob");
  }

  @Test
  void what_an_export_leaves_out_is_said_and_counted() throws Exception {
    die("first", "second");
    DeadLetterId first = id(1);
    DeadLetterId second = id(2);
    connection
        .jetStream()
        .publish(
            new DeadLetterId("ORDERS", "billing", "abc", 9).subject(Names.DEFAULT.prefix()),
            new byte[0]);
    String stream = Names.DEFAULT.deadLetterStream();
    StringWriter written = new StringWriter();
    Writer purging =
        new FilterWriter(written) {
          @Override
          public void write(String text, int from, int length) throws IOException {
            if (written.getBuffer().isEmpty()) {
              try {
                connection.jetStreamManagement().deleteMessage(stream, 2);
              } catch (JetStreamApiException e) {
                throw new IOException(e);
              }
            }
            super.write(text, from, length);
          }
        };

    assertThat(run(Terminal.none(), purging, "dlq", "export")).isEqualTo(ExitCode.FAILED);

    assertThat(written.toString()).hasLineCount(1).contains("\"id\":\"" + first + "\"");
    assertThat(err)
        .contains("ORDERS.billing.abc.9")
        .contains("The dead letter " + second + " is gone since the export began.")
        .contains("1 exported, 1 gone meanwhile, 1 unreadable.");
  }

  @Test
  void a_file_that_is_there_is_written_over_only_when_told() throws Exception {
    die("first");
    Path file = Files.writeString(folder.resolve("dead.jsonl"), "precious");
    Path someoneElses = Files.writeString(folder.resolve("dead.jsonl.part"), "theirs");

    assertThat(run("dlq", "export", "dead.jsonl")).isEqualTo(ExitCode.USAGE);
    assertThat(err).contains("dead.jsonl is there. Write over it?").hasLineCount(1);
    assertThat(file).hasContent("precious");

    assertThat(run("dlq", "export", "dead.jsonl", "--yes")).as(err).isZero();
    assertThat(Files.readString(file)).startsWith("{\"exportVersion\":1,");
    assertThat(someoneElses).hasContent("theirs");
    assertThat(parts()).containsExactly(someoneElses);
    Files.createDirectory(folder.resolve("taken"));
    assertThat(run("dlq", "export", "taken", "--yes")).isEqualTo(ExitCode.USAGE);
  }

  private List<Path> parts() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(path -> path.toString().endsWith(".part")).toList();
    }
  }

  @Test
  void another_teams_stream_is_taken_over() throws Exception {
    connection
        .jetStreamManagement()
        .addStream(StreamConfiguration.builder().name("OLD").subjects("old.>").build());
    connection
        .jetStream()
        .publish("old.dead", new Headers().add("My-Error", "by hand"), "x".getBytes(UTF_8));

    assertThat(
            run(
                "dlq",
                "import",
                "--from-stream",
                "OLD",
                "--of-stream",
                "ORDERS",
                "--map",
                "message=My-Error"))
        .as(err)
        .isZero();
    assertThat(json("dlq", "ls", "--stream", "ORDERS")).contains("\"by hand\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "import",
        "import nowhere.jsonl",
        "import --from-stream a.b",
        "import --from-stream OLD --map colour=X",
        "export a.jsonl --folder b",
        "export --redact-json $["
      })
  void a_transfer_of_nonsense_is_refused_in_one_sentence(String command) {
    assertThat(run(("dlq " + command).split(" ", -1))).as(out).isEqualTo(ExitCode.USAGE);
    assertThat(err).startsWith("contrail: ").hasLineCount(1);
  }

  @Test
  void a_line_that_is_no_dead_letter_hides_no_other() throws Exception {
    die("first");
    assertThat(run("dlq", "export", "dead.jsonl")).isZero();
    Path file = folder.resolve("dead.jsonl");
    Files.writeString(file, "nonsense\n" + Files.readString(file));

    assertThat(run("dlq", "import", "dead.jsonl", "--prefix", "other")).isEqualTo(ExitCode.FAILED);
    assertThat(err)
        .startsWith("contrail: dead.jsonl line 1: This is no exported dead letter")
        .endsWith("\nImporting: 2 of 2 (100%)\n");
    assertThat(out).startsWith("1 imported");
  }

  @Test
  void watch_follows_new_deaths() throws Exception {
    die("old");
    CompletableFuture<Integer> exit =
        CompletableFuture.supplyAsync(() -> run("dlq", "watch", "--count", "2", "--json"));
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
    die("new", "newer");

    assertThat(exit.get(30, java.util.concurrent.TimeUnit.SECONDS)).as(err).isZero();
    assertThat(out.lines().map(line -> JsonMapper.shared().readTree(line).get("sequence").asLong()))
        .containsExactly(2L, 3L);
  }

  private void assertLists(List<String> sequences, String... options) {
    JsonNode listed = JsonMapper.shared().readTree(json(with(options, "dlq", "ls")));
    List<String> found = new ArrayList<>();
    listed.forEach(entry -> found.add(entry.get("sequence").asString()));
    assertThat(found).as(String.join(" ", options)).isEqualTo(sequences);
  }

  private static String[] with(String[] options, String... command) {
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(List.of(options));
    return all.toArray(String[]::new);
  }

  private String json(String... args) {
    assertThat(run(with(new String[] {"--json"}, args))).as(err).isEqualTo(ExitCode.FINE);
    return out;
  }

  private DeadLetterId id(long sequence) {
    for (JsonNode entry : JsonMapper.shared().readTree(json("dlq", "ls"))) {
      if (entry.get("sequence").asLong() == sequence) {
        return DeadLetterId.parse(entry.get("id").asString());
      }
    }
    throw new AssertionError("no entry of sequence " + sequence + " in " + out);
  }

  private EventStore events() {
    return new EventStore(connection, JetStreamOptions.defaultOptions(), Names.DEFAULT);
  }

  private void decide(DeadLetterId id, Step step) {
    assertThat(events().take(id, step, new EventStore.Decider("ann@host", NOON, false)).join())
        .isInstanceOf(EventStore.Decision.Taken.class);
  }

  private int run(String... args) {
    return run(Terminal.none(), args);
  }

  private int run(Terminal terminal, String... args) {
    StringWriter outText = new StringWriter();
    int exitCode = run(terminal, outText, args);
    out = outText.toString();
    return exitCode;
  }

  private int run(Terminal terminal, Writer output, String... args) {
    StringWriter errText = new StringWriter();
    int exitCode =
        Program.run(
            new Surroundings(
                Map.of("NATS_URL", server.url(), "XDG_CONFIG_HOME", folder.toString()),
                folder,
                folder,
                new PrintWriter(output),
                new PrintWriter(errText),
                terminal),
            args);
    err = errText.toString();
    return exitCode;
  }

  /** Has a worker give up on these, one after the other. */
  private void die(String... payloads) throws Exception {
    try (ContrailConsumer consumer =
        Contrail.consumer(connection, "ORDERS", "billing")
            .concurrency(1)
            .appVersion("1.4")
            .handler(
                delivery -> {
                  throw new RejectedMessageException("number " + delivery.sequence());
                })
            .start()) {
      for (int i = 0; i < payloads.length; i++) {
        connection
            .jetStream()
            .publish("orders.new", new Headers().add("Order", "7"), payloads[i].getBytes(UTF_8));
        int dead = i + 1;
        await().atMost(SOON).until(() -> consumer.status().counts().dead() == dead);
      }
    }
  }
}
