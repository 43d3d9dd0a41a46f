package dev.contrail.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.output.Terminal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReasonsTest {
  private static final String ID = "ORDERS.billing.ho77nadw1d.12";
  private static final String WHY =
      "it is resolved in plan 20260301-100000-k3f; --force does it all the same";

  private final Reasons reasons = new Reasons();

  @BeforeEach
  void add() {
    reasons.add(ID, "not restored", WHY);
  }

  @Test
  void where_there_is_room_they_are_a_table() {
    assertThat(reasons.render(new Terminal(true, true, 140, false))).contains("│ " + WHY + " │");
    assertThat(reasons.render(Terminal.none())).contains(WHY).startsWith("ID ");
  }

  @Test
  void where_there_is_none_nothing_is_cut_off() {
    assertThat(reasons.render(new Terminal(true, true, 60, false)).lines())
        .containsExactly(
            ID + ": not restored",
            "  it is resolved in plan 20260301-100000-k3f; --force does",
            "  it all the same");
  }
}
