package dev.contrail.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class TableTest {
  private static Terminal terminal(int columns) {
    return new Terminal(true, true, columns, false);
  }

  private static Table sample() {
    return new Table()
        .wholeColumn("ID")
        .column("MESSAGE")
        .numberColumn("N")
        .row("ORDERS.billing.1", "bank is closed", 7)
        .row("ORDERS.billing.22", "no", 1234);
  }

  @Test
  void elsewhere_than_on_a_terminal_it_is_plain_columns() {
    assertThat(sample().render(Terminal.none()))
        .isEqualTo(
            """
            ID                 MESSAGE            N
            ORDERS.billing.1   bank is closed     7
            ORDERS.billing.22  no              1234
            """);
  }

  @Test
  void on_a_terminal_it_has_a_frame() {
    assertThat(sample().render(terminal(80)))
        .isEqualTo(
            """
            ╭───────────────────┬────────────────┬──────╮
            │ ID                │ MESSAGE        │    N │
            ├───────────────────┼────────────────┼──────┤
            │ ORDERS.billing.1  │ bank is closed │    7 │
            │ ORDERS.billing.22 │ no             │ 1234 │
            ╰───────────────────┴────────────────┴──────╯
            """);
  }

  @Test
  void a_narrow_terminal_shortens_text_but_neither_ids_nor_numbers() {
    String narrow = sample().render(terminal(40));
    assertThat(narrow.lines())
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(40));
    assertThat(narrow).contains("ORDERS.billing.22", "1234", "bank is …");
  }

  @Test
  void subjects_that_differ_at_their_ends_differ_on_a_narrow_terminal_too() {
    assertThat(
            new Table()
                .subjectColumn("SUBJECT")
                .row("orders.returns.of.tenant.1")
                .row("orders.returns.of.🚚.2")
                .row("orders.new")
                .render(terminal(20)))
        .isEqualTo(
            """
            ╭──────────────────╮
            │ SUBJECT          │
            ├──────────────────┤
            │ orders.r…enant.1 │
            │ orders.r…of.🚚.2 │
            │ orders.new       │
            ╰──────────────────╯
            """);
  }

  @Test
  void elsewhere_nothing_is_shortened_however_long() {
    String longText = "x".repeat(500);
    assertThat(new Table().column("A").row(longText).render(Terminal.none())).contains(longText);
  }

  @Test
  void wide_and_combining_characters_keep_the_columns_straight() {
    String table =
        new Table()
            .column("NAME")
            .column("NEXT")
            .row("東京", "x")
            .row("e\u0301a", "y")
            .row("🚚", "z")
            .render(Terminal.none());
    assertThat(table)
        .isEqualTo(
            """
            NAME  NEXT
            東京  x
            e\u0301a    y
            🚚    z
            """);
  }

  @Test
  void a_wide_character_is_never_cut_in_half() {
    String table = new Table().column("A").row("東".repeat(40)).render(terminal(41));
    assertThat(table.lines())
        .allSatisfy(line -> assertThat(DisplayWidth.of(line)).isEqualTo(41))
        .anySatisfy(line -> assertThat(line).contains("東…"));
  }

  @Test
  void values_cannot_steer_the_terminal_or_break_the_line() {
    assertThat(new Table().column("A").row("a\u001B[31m\nb").render(Terminal.none()))
        .isEqualTo("A\na b\n");
  }

  @Test
  void a_row_with_a_value_too_few_is_a_mistake() {
    Table table = new Table().column("A").column("B");
    assertThatThrownBy(() -> table.row("only one")).hasMessageContaining("1 values for 2 columns");
  }
}
