package dev.contrail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.command.ExitCode;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code contrail publish} against a real server. */
class PublishCommandTest {
  @TempDir private Path folder;
  private DeadLetterPlace place;

  @BeforeEach
  void open() throws Exception {
    place = new DeadLetterPlace(folder, RetentionPolicy.Limits);
  }

  @AfterEach
  void close() throws Exception {
    place.close();
  }

  private MessageInfo message(long sequence) throws Exception {
    return place.management.getMessage("ORDERS", sequence);
  }

  private long messages() throws Exception {
    return place.management.getStreamInfo("ORDERS").getStreamState().getMsgCount();
  }

  @Test
  void a_message_is_stored_with_key_and_headers() throws Exception {
    int exit =
        place.run("publish", "orders.new", "hello", "--key", "k1", "-H", "X-A: b", "-H", "X-A:c:d");

    assertThat(exit).as(place.err).isEqualTo(ExitCode.FINE);
    assertThat(place.out).isEqualTo("Stored in ORDERS as message 1, key k1.\n");
    assertThat(message(1).getData()).isEqualTo("hello".getBytes(UTF_8));
    assertThat(message(1).getHeaders().get("X-A")).containsExactly("b", "c:d");
    assertThat(message(1).getHeaders().get("Nats-Msg-Id")).containsExactly("k1");
  }

  @Test
  void the_second_of_a_key_is_said_to_be_known() throws Exception {
    assertThat(place.run("publish", "orders.new", "hello", "--key", "k1")).isZero();
    assertThat(place.run("publish", "orders.new", "hello", "--key", "k1")).isZero();

    assertThat(place.out).isEqualTo("Not stored again: ORDERS has key k1 already, as message 1.\n");
    assertThat(messages()).isEqualTo(1);
  }

  @Test
  void many_are_numbered_counted_and_shown_with_progress() throws Exception {
    int exit =
        place.run(
            "publish",
            "orders.{{Count}}",
            "n {{Count}}",
            "--count",
            "50",
            "--key",
            "k{{Count}}",
            "--in-flight",
            "1");

    assertThat(exit).as(place.err).isZero();
    assertThat(place.out).isEqualTo("50 stored.\n");
    assertThat(place.err).contains("Publishing: 50 of 50 (100%)");
    assertThat(message(50).getSubject()).isEqualTo("orders.50");
    assertThat(message(50).getData()).isEqualTo("n 50".getBytes(UTF_8));
  }

  @Test
  void each_line_of_a_file_is_a_message() throws Exception {
    Path file = Files.writeString(folder.resolve("in"), "one\r\n\ntwo {{Count}}\nthree");

    assertThat(place.run("publish", "orders.new", "--file", file.toString(), "--lines"))
        .as(place.err)
        .isZero();

    assertThat(place.out).isEqualTo("4 stored.\n");
    assertThat(List.of(message(1), message(2), message(3), message(4)))
        .extracting(
            message -> message.getData() == null ? "" : new String(message.getData(), UTF_8))
        .containsExactlyInAnyOrder("one", "", "two {{Count}}", "three");
  }

  @Test
  void a_file_is_published_byte_for_byte() throws Exception {
    byte[] bytes = {0, (byte) 200, '\n', 13};
    Path file = Files.write(folder.resolve("in"), bytes);

    assertThat(place.run("publish", "orders.new", "--file", file.toString())).isZero();

    assertThat(message(1).getData()).isEqualTo(bytes);
  }

  @Test
  void what_is_piped_in_is_the_body() throws Exception {
    Path output = folder.resolve("output");
    Process process = place.start(output, "publish", "orders.new", "--key", "k");
    try (var in = process.getOutputStream()) {
      in.write("piped".getBytes(UTF_8));
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();

    assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    assertThat(message(1).getData()).isEqualTo("piped".getBytes(UTF_8));
  }

  @Test
  void json_has_stable_fields_for_one_and_a_line_each_for_many() throws Exception {
    assertThat(place.run("publish", "orders.new", "x", "--key", "k", "--json")).isZero();
    assertThat(place.json().propertyNames())
        .containsExactly(
            "key",
            "subject",
            "stream",
            "sequence",
            "duplicate",
            "possiblyTwice",
            "reroutedFrom",
            "attempts",
            "fate",
            "error");
    assertThat(place.json().get("fate").asString()).isEqualTo("stored");

    assertThat(place.run("publish", "orders.new", "x", "--count", "3", "--json")).isZero();
    List<JsonNode> lines = place.out.lines().map(JsonMapper.shared()::readTree).toList();
    assertThat(lines).hasSize(3);
  }

  @Test
  void what_no_consumer_claims_goes_to_the_fallback() throws Exception {
    place.management.addStream(
        StreamConfiguration.builder().name("UNCLAIMED").subjects("unclaimed.>").build());

    int exit =
        place.run("publish", "orders.new", "x", "--key", "k", "--fallback", "unclaimed.orders");

    assertThat(exit).as(place.err).isZero();
    assertThat(place.out)
        .isEqualTo(
            "Stored in UNCLAIMED as message 1, key k. No consumer claims orders.new, so it went to"
                + " unclaimed.orders.\n");
    assertThat(messages()).isZero();
  }

  @Test
  void what_is_not_published_is_said_in_one_sentence_and_fails() {
    assertThat(place.run("publish", "nobody.here", "x", "--key", "k")).isEqualTo(ExitCode.FAILED);
    assertThat(place.out).isEmpty();
    assertThat(place.err)
        .isEqualTo(
            "contrail: Message “k” to nobody.here is not published: no stream takes it; “nats"
                + " stream add” makes one that does.\n");

    assertThat(place.run("publish", "nobody.here", "x", "--key", "k", "-j"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(place.json().get("fate").asString()).isEqualTo("not-published");
  }

  @Test
  void of_many_failures_ten_are_told_and_all_are_counted() {
    assertThat(place.run("publish", "nobody.{{Count}}", "x", "--count", "30"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(place.out).isEqualTo("0 stored, 30 not published.\n");
    assertThat(place.err.lines().filter(line -> line.startsWith("contrail: "))).hasSize(10);
  }

  @Test
  void wrong_usage_is_refused_before_anything_is_published() throws Exception {
    refused("'x' is no header; accepted is KEY:VALUE in printable ASCII", "-H", "x");
    refused("'A: é' is no header; accepted is KEY:VALUE in printable ASCII", "-H", "A: é");
    refused("--key k is the same for all messages", "--key", "k", "--count", "2");
    refused("BODY is given and --lines too; one is enough", "--lines");
    refused("BODY is given and --file too; one is enough", "--file", "x");
    refused("'0' is out of range; accepted is 1 to", "--count", "0");
    refused("cannot be the key of a message", "--key", "é");
    refused("is no subject to publish to", "--fallback", "a.>");
    refused("The headers name Nats-Msg-Id a and the key is b", "-H", "Nats-Msg-Id:a", "--key", "b");
    assertThat(place.run("publish", "orders.*", "x")).isEqualTo(ExitCode.USAGE);
    assertThat(place.run("publish", "orders.new", "--file", "nowhere")).isEqualTo(ExitCode.USAGE);
    assertThat(place.err).startsWith("contrail: --file nowhere cannot be read");
    assertThat(messages()).isZero();
  }

  private void refused(String sentence, String... more) {
    List<String> args = new ArrayList<>(List.of("publish", "orders.new", "body"));
    args.addAll(List.of(more));
    assertThat(place.run(args.toArray(String[]::new))).as(place.err).isEqualTo(ExitCode.USAGE);
    assertThat(place.err).contains(sentence);
  }

  @Test
  void no_server_is_exit_3() {
    place.server.close();
    assertThat(place.run("publish", "orders.new", "x")).isEqualTo(ExitCode.NO_SERVER);
  }

  /** It would all be kept in memory, to be refused then. */
  @Test
  void a_file_that_no_server_takes_is_refused_before_it_is_read_to_its_end() throws Exception {
    Path large = folder.resolve("large");
    try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
      file.setLength(70L << 20);
    }
    assertThat(place.run("publish", "orders.new", "--file", large.toString()))
        .isEqualTo(ExitCode.USAGE);
    assertThat(place.err)
        .contains("has more than 64 MiB, which no NATS server takes")
        .hasLineCount(1);
    assertThat(place.run("publish", "orders.new", "--lines", "--file", large.toString()))
        .isEqualTo(ExitCode.FAILED);
    assertThat(place.err).contains("a line has more than 64 MiB, which no NATS server takes");
  }
}
