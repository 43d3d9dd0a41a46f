package dev.contrail.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class WrappedTextTest {
  private static final String TEXT = "one two three four five six seven eight nine ten eleven";

  private static List<String> printed(Terminal terminal, String start, String indent) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    WrappedText.print(out, terminal, start, indent, TEXT);
    out.flush();
    return text.toString().lines().toList();
  }

  @Test
  void on_a_terminal_no_word_is_cut_and_lines_go_on_behind_the_indent() {
    assertThat(printed(new Terminal(true, true, 40, false), "  ", "  "))
        .containsExactly("  one two three four five six seven", "  eight nine ten eleven");
    assertThat(printed(new Terminal(true, true, 40, false), "contrail: ", ""))
        .containsExactly("contrail: one two three four five six", "seven eight nine ten eleven");
  }

  @Test
  void elsewhere_it_stays_on_one_line() {
    assertThat(printed(new Terminal(false, true, 40, false), "  ", "  "))
        .containsExactly("  " + TEXT);
  }

  @Test
  void for_errors_it_matters_where_they_go() {
    StringWriter text = new StringWriter();
    PrintWriter err = new PrintWriter(text);
    WrappedText.printError(err, new Terminal(true, false, 40, false), "contrail: ", TEXT);
    WrappedText.printError(err, new Terminal(false, true, 40, false), "contrail: ", TEXT);
    err.flush();
    assertThat(text.toString().lines())
        .containsExactly(
            "contrail: " + TEXT,
            "contrail: one two three four five six",
            "seven eight nine ten eleven");
  }
}
