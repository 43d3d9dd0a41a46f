package dev.contrail.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class TerminalTest {
  @Test
  void no_color_with_any_value_turns_colours_off() {
    assertThat(Terminal.wantsColour(Map.of("NO_COLOR", "1"))).isFalse();
    assertThat(Terminal.wantsColour(Map.of("NO_COLOR", ""))).isTrue();
    assertThat(Terminal.wantsColour(Map.of())).isTrue();
    assertThat(Terminal.wantsColour(Map.of("TERM", "dumb"))).isFalse();
  }

  @Test
  void colours_go_to_terminals_only() {
    Terminal outOnly = new Terminal(true, false, 80, true);
    assertThat(outOnly.colourOnOut()).isTrue();
    assertThat(outOnly.colourOnErr()).isFalse();
  }
}
