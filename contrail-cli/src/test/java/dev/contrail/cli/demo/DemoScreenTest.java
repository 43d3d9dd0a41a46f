package dev.contrail.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DemoScreenTest {
  private static final DemoProgress LARGE =
      new DemoProgress(1_234_567, 1_200_000, 123_456, 34_000, 567);

  @Test
  void the_line_that_keeps_changing_never_wraps() {
    for (int columns : new int[] {40, 80, 120}) {
      String line = shown(new Terminal(true, true, columns, true));
      assertThat(line.substring(line.lastIndexOf('K') + 1))
          .as("on a terminal of %d columns", columns)
          .startsWith("  2h5m  published 1,234,567  ")
          .hasSizeLessThan(columns);
    }
  }

  @Test
  void elsewhere_each_line_is_whole_and_on_its_own() {
    assertThat(shown(Terminal.none()))
        .isEqualTo(
            "  2h5m  published 1,234,567  processed 1,200,000  retries 123,456  dead 34,000"
                + "  waiting 567\n");
  }

  private static String shown(Terminal terminal) {
    StringWriter out = new StringWriter();
    Path folder = Path.of(".");
    new DemoScreen(
            new Surroundings(
                Map.of(),
                folder,
                folder,
                new PrintWriter(out),
                new PrintWriter(new StringWriter()),
                terminal))
        .show(Duration.ofMinutes(125), LARGE);
    return out.toString();
  }
}
