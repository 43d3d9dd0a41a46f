package dev.contrail.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.cli.output.Terminal;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ConsentTest {
  private static final String QUESTION =
      "Publish to orders.\u001B[2Jnew, begun by ann\u009B1A\r\nbob\u202E?";

  private final StringWriter err = new StringWriter();

  @Test
  void what_is_asked_cannot_steer_the_terminal() {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream("y\n".getBytes(UTF_8)));
    try {
      assertThat(Consent.asked(QUESTION, surroundings(new Terminal(true, true, 80, false))))
          .isTrue();
    } finally {
      System.setIn(before);
    }
    assertThat(err.toString())
        .isEqualTo("contrail: Publish to orders.new, begun by ann  bob? [y/N] ");
  }

  @Test
  void nor_can_what_nobody_is_asked() {
    assertThatThrownBy(() -> Consent.asked(QUESTION, surroundings(Terminal.none())))
        .isInstanceOf(CommandFailure.class)
        .hasMessageStartingWith("Publish to orders.new, begun by ann  bob? There is nobody");
  }

  private Surroundings surroundings(Terminal terminal) {
    Path folder = Path.of("");
    return new Surroundings(
        Map.of(),
        folder,
        folder,
        new PrintWriter(new StringWriter()),
        new PrintWriter(err),
        terminal);
  }
}
