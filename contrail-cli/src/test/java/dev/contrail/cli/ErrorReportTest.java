package dev.contrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Terminal;
import dev.contrail.cli.settings.Settings;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.ServerUnavailableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ErrorReportTest {
  private final StringWriter err = new StringWriter();

  private ErrorReport report(boolean trace) {
    PrintWriter writer = new PrintWriter(err);
    Surroundings surroundings =
        new Surroundings(Map.of(), Path.of("."), Path.of("."), writer, writer, Terminal.none());
    return new ErrorReport(surroundings, Settings.none(), () -> trace);
  }

  @Test
  void a_failure_is_its_sentence_and_its_exit_code() {
    assertThat(report(false).handle(CommandFailure.failed("two entries are damaged")))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err).hasToString("contrail: two entries are damaged\n");
  }

  @Test
  void what_the_library_says_is_shown_as_it_is() {
    assertThat(report(false).handle(new ContrailException("Stream ORDERS does not exist.")))
        .isEqualTo(ExitCode.FAILED);
    assertThat(report(false).handle(new ServerUnavailableException("Nobody.", new IOException())))
        .isEqualTo(ExitCode.NO_SERVER);
    assertThat(err).hasToString("contrail: Stream ORDERS does not exist.\ncontrail: Nobody.\n");
  }

  @Test
  void the_unexpected_is_one_sentence_and_its_details_are_kept() throws IOException {
    assertThat(report(false).handle(new IllegalStateException("boom"))).isEqualTo(ExitCode.FAILED);
    String sentence = err.toString();
    assertThat(sentence)
        .hasLineCount(1)
        .startsWith(
            "contrail: something unexpected happened (java.lang.IllegalStateException: boom);"
                + " the details are in ");
    Path details = Path.of(sentence.substring(sentence.lastIndexOf(' ') + 1).strip());
    assertThat(details).content().contains("ErrorReportTest", "boom");
    Files.delete(details);
  }

  @Test
  void details_are_shown_instead_when_asked_for() {
    assertThat(report(true).handle(new IllegalStateException("boom"))).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("\tat ").doesNotContain("the details are in");
  }
}
