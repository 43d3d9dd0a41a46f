package dev.contrail.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BenchScreenTest {
  private static final String CLEAR_LINE = "\r\u001B[2K";

  private final StringWriter err = new StringWriter();

  @Test
  void a_terminal_has_a_bar_below_what_was_found_which_goes_away_at_the_end() {
    BenchScreen screen = screen(new Terminal(true, true, 80, false));

    screen.begins(36, 144, "round 1 of 5: (a) bare client, ack");
    screen.found("round 1: fast");
    screen.end();

    String bar = "[#####...............]  25% round 1 of 5: (a) bare client, ack";
    assertThat(err)
        .hasToString(
            CLEAR_LINE
                + bar
                + CLEAR_LINE
                + "contrail: round 1: fast"
                + System.lineSeparator()
                + bar
                + CLEAR_LINE);
  }

  @Test
  void a_bar_never_wraps() {
    BenchScreen screen = screen(new Terminal(true, true, 40, false));

    screen.begins(0, 10, "something that takes many more characters than the line has");

    assertThat(err.toString().substring(CLEAR_LINE.length())).hasSizeLessThan(40);
  }

  @Test
  void elsewhere_only_what_was_found_is_written() {
    BenchScreen screen = screen(Terminal.none());

    screen.begins(0, 10, "something");
    screen.found("something was fast");
    screen.end();

    assertThat(err).hasToString("contrail: something was fast" + System.lineSeparator());
  }

  private BenchScreen screen(Terminal terminal) {
    return new BenchScreen(
        new Surroundings(
            Map.of(),
            Path.of("."),
            Path.of("."),
            new PrintWriter(new StringWriter()),
            new PrintWriter(err),
            terminal));
  }
}
