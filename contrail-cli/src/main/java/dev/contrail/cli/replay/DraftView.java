package dev.contrail.cli.replay;

import dev.contrail.cli.output.Table;
import dev.contrail.cli.output.Terminal;
import dev.contrail.operations.replay.Draft;
import dev.contrail.operations.view.DraftFields;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** What a replay would do, for people and for scripts. */
final class DraftView {
  private static final int WIDE = 130;

  private final Draft draft;

  DraftView(Draft draft) {
    this.draft = draft;
  }

  DraftFields whole() {
    return DraftFields.of(draft);
  }

  void print(Tools tools) {
    if (draft.planned().isEmpty()) {
      tools.answer("Nothing would be published.");
      return;
    }
    Terminal terminal = tools.surroundings().terminal();
    tools.surroundings().out().print(table(terminal).render(terminal));
    tools.answer("Dry run: " + inWords() + " would be published.");
    if (!isWide(terminal) && outcomes() == 1) {
      tools.answer(outcomeInWords());
    }
  }

  /** On a narrow terminal without what ids tell, and without what words below it tell. */
  private Table table(Terminal terminal) {
    List<Cell> cells = new ArrayList<>();
    // The id of the dead letter is the beginning of that of the message.
    cells.add(new Cell("MESSAGE ID", Table::wholeColumn, DraftFields.Planned::messageId));
    cells.add(new Cell("SUBJECT", Table::column, DraftFields.Planned::subject));
    if (isWide(terminal) || !isByIds()) {
      cells.add(new Cell("STREAM", Table::column, DraftFields.Planned::stream));
      cells.add(new Cell("FOR", Table::column, DraftView::consumer));
    }
    cells.add(new Cell("VERSION", Table::numberColumn, DraftView::version));
    cells.add(new Cell("BYTES", Table::numberColumn, it -> Long.toString(it.bytes())));
    if (isWide(terminal) || outcomes() > 1) {
      cells.add(new Cell("OUTCOME", Table::column, DraftFields.Planned::outcome));
    }
    Table table = new Table();
    cells.forEach(cell -> cell.kind().accept(table, cell.name()));
    whole()
        .planned()
        .forEach(it -> table.row(cells.stream().map(cell -> cell.value().apply(it)).toArray()));
    return table;
  }

  private record Cell(
      String name, BiConsumer<Table, String> kind, Function<DraftFields.Planned, String> value) {}

  private static boolean isWide(Terminal terminal) {
    return !terminal.outIsTerminal() || terminal.columns() >= WIDE;
  }

  /** Whether all go to where they died, for whom they died: their ids begin with that. */
  private boolean isByIds() {
    return whole().planned().stream()
        .allMatch(it -> it.id().startsWith(it.stream() + "." + it.consumer() + "."));
  }

  private long outcomes() {
    return draft.planned().stream().map(Draft.Planned::outlook).distinct().count();
  }

  private static String consumer(DraftFields.Planned it) {
    return it.consumer().isEmpty() ? "any" : it.consumer();
  }

  private String outcomeInWords() {
    return switch (draft.planned().get(0).outlook()) {
      case TOLD -> "The worker will tell what becomes of them.";
      case INFERRED ->
          "What becomes of them will be concluded when they are gone from the stream, or when"
              + " contrail guard finds them dead.";
      case UNKNOWN -> "What becomes of them will not be known.";
    };
  }

  /** Such as {@code original, not 2}, where it was edited. */
  private static String version(DraftFields.Planned it) {
    String shown = it.version() == 0 ? "original" : Integer.toString(it.version());
    return it.version() < it.newestVersion() ? shown + ", not " + it.newestVersion() : shown;
  }

  /** Such as {@code 14 copies to orders.new of ORDERS for billing}. */
  String inWords() {
    return DraftFields.inWords(draft);
  }
}
