package dev.contrail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.RetentionPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Carrying dead letters elsewhere, against real servers. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.cli.DeadLetterPlace#servers")
class TransferCommandsTest {
  @TempDir Path folder;

  private final NatsServerBinary binary;

  @SuppressWarnings("NullAway.Init") // opened before every test
  private DeadLetterPlace place;

  TransferCommandsTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    NatsServer server = NatsServer.builder().binary(binary).start();
    place = new DeadLetterPlace(server, folder, RetentionPolicy.WorkQueue);
  }

  @AfterEach
  void close() throws Exception {
    place.close();
  }

  @Test
  void files_that_are_in_the_folder_are_written_over_only_when_told() throws Exception {
    List<String> ids = place.die(3);
    Path dead = Files.createDirectory(folder.resolve("dead"));
    Path precious = Files.writeString(dead.resolve(ids.get(0) + ".json"), "precious");
    Path other = Files.writeString(dead.resolve("other.json"), "theirs");

    assertThat(place.run("dlq", "export", "--folder", "dead")).isEqualTo(ExitCode.USAGE);
    assertThat(place.err)
        .contains("The file " + precious.getFileName() + " is in dead already. Write over it?")
        .hasLineCount(1);
    assertThat(precious).hasContent("precious");
    assertThat(dead.toFile().list()).as("nothing else is written").hasSize(2);

    for (String told : List.of("--force", "--yes")) {
      Files.writeString(precious, "precious");
      assertThat(place.run("dlq", "export", "--folder", "dead", told)).as(place.err).isZero();
      assertThat(precious).content().startsWith("{\"exportVersion\":1,");
    }
    assertThat(other).hasContent("theirs");
    assertThat(dead.toFile().list()).hasSize(4);

    assertThat(place.run("dlq", "export", "--folder", "dead")).isEqualTo(ExitCode.USAGE);
    assertThat(place.err).contains("3 of the files are in dead already, such as ");
    assertThat(place.run("dlq", "export", "--folder", "dead/other.json")).isEqualTo(ExitCode.USAGE);
    assertThat(place.err).contains("--folder: 'dead/other.json' is there and is no folder");
  }

  @Test
  void what_was_being_replayed_can_be_replayed_where_it_is_imported() throws Exception {
    String id = place.die(1).get(0);
    assertThat(place.run("dlq", "replay", id, "--yes")).as(place.err).isZero();
    assertThat(place.run("dlq", "export", "dead.jsonl")).as(place.err).isZero();

    assertThat(place.run("dlq", "import", "dead.jsonl", "--prefix", "other", "--json"))
        .as(place.err)
        .isZero();
    assertThat(place.json().get("imported").asInt()).isEqualTo(1);
    assertThat(place.json().get("reopened").asInt()).isEqualTo(1);
    assertThat(place.err)
        .startsWith(
            "contrail: "
                + id
                + " was being replayed where it comes from; it is open here, and what became of"
                + " that copy is not known here\n");
    assertThat(place.run("dlq", "show", id, "--prefix", "other")).isZero();
    assertThat(place.out).contains("state         open").contains("not replayed: it was imported");
    assertThat(place.run("dlq", "replay", id, "--prefix", "other", "--yes")).as(place.err).isZero();
  }

  @Test
  void an_exception_class_is_found_by_any_of_its_names() throws Exception {
    place.connection.jetStream().publish("orders.new", "order".getBytes(UTF_8));
    place.dieOf(new OddException());
    for (String name :
        List.of(
            "OddException",
            "TransferCommandsTest.OddException",
            "TransferCommandsTest$OddException",
            "dev.contrail.cli.TransferCommandsTest.OddException",
            OddException.class.getName())) {
      assertThat(place.run("dlq", "ls", "--exception", name, "--json")).as(place.err).isZero();
      assertThat(place.json()).as(name).hasSize(1);
    }
    assertThat(place.run("dlq", "ls", "--exception", "Exception", "--json")).isZero();
    assertThat(place.json()).isEmpty();
  }

  static final class OddException extends dev.contrail.RejectedMessageException {
    private static final long serialVersionUID = 1L;

    OddException() {
      super("odd");
    }
  }
}
