package dev.contrail.cli.replay;

import dev.contrail.cli.output.Table;
import dev.contrail.cli.output.Terminal;
import dev.contrail.operations.replay.Draft;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What a replay would do, for people and for scripts. */
final class DraftView {
  /** A copy that would be published. */
  record Planned(
      String id,
      int version,
      String subject,
      String stream,
      String consumer,
      String messageId,
      long bytes,
      String outcome,
      int newestVersion) {}

  /** One that would not be, and why. */
  record LeftOut(String id, String why) {}

  /** All of it. */
  record Whole(List<Planned> planned, List<LeftOut> leftOut, List<String> warnings) {}

  private static final int WIDE = 130;

  private final Draft draft;

  DraftView(Draft draft) {
    this.draft = draft;
  }

  Whole whole() {
    return new Whole(
        draft.planned().stream().map(DraftView::planned).toList(),
        draft.leftOut().stream().map(it -> new LeftOut(it.id().toString(), it.why())).toList(),
        draft.warnings());
  }

  private static Planned planned(Draft.Planned it) {
    return new Planned(
        it.entry().id().toString(),
        it.entry().version(),
        it.subject(),
        it.stream(),
        it.consumer().orElse(""),
        it.messageId(),
        it.bytes(),
        it.outlook().text(),
        it.newestVersion());
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
    cells.add(new Cell("MESSAGE ID", Table::wholeColumn, Planned::messageId));
    cells.add(new Cell("SUBJECT", Table::column, Planned::subject));
    if (isWide(terminal) || !isByIds()) {
      cells.add(new Cell("STREAM", Table::column, Planned::stream));
      cells.add(new Cell("FOR", Table::column, DraftView::consumer));
    }
    cells.add(new Cell("VERSION", Table::numberColumn, DraftView::version));
    cells.add(new Cell("BYTES", Table::numberColumn, it -> Long.toString(it.bytes())));
    if (isWide(terminal) || outcomes() > 1) {
      cells.add(new Cell("OUTCOME", Table::column, Planned::outcome));
    }
    Table table = new Table();
    cells.forEach(cell -> cell.kind().accept(table, cell.name()));
    whole()
        .planned()
        .forEach(it -> table.row(cells.stream().map(cell -> cell.value().apply(it)).toArray()));
    return table;
  }

  private record Cell(
      String name, BiConsumer<Table, String> kind, Function<Planned, String> value) {}

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

  private static String consumer(Planned it) {
    return it.consumer().isEmpty() ? "any" : it.consumer();
  }

  private String outcomeInWords() {
    return switch (draft.planned().get(0).outlook()) {
      case TOLD -> "The worker will tell what becomes of them.";
      case INFERRED -> "What becomes of them will be concluded when they are gone from the stream.";
      case UNKNOWN -> "What becomes of them will not be known.";
    };
  }

  /** Such as {@code original, not 2}, where it was edited. */
  private static String version(Planned it) {
    String shown = it.version() == 0 ? "original" : Integer.toString(it.version());
    return it.version() < it.newestVersion() ? shown + ", not " + it.newestVersion() : shown;
  }

  /** Such as {@code 14 copies to orders.new of ORDERS for billing}. */
  String inWords() {
    return copies(draft.planned().size())
        + " to "
        + some(Draft.Planned::subject, "subjects")
        + " of "
        + some(Draft.Planned::stream, "streams")
        + " for "
        + some(it -> it.consumer().orElse("any consumer"), "consumers")
        + versions();
  }

  private String versions() {
    long edited = draft.planned().stream().filter(it -> it.entry().version() > 0).count();
    long older = draft.planned().stream().filter(Draft.Planned::isOlder).count();
    return (edited == 0 ? "" : ", " + edited + " with an edited payload")
        + (older == 0 ? "" : ", " + older + " not with the newest version of it");
  }

  private String some(Function<Draft.Planned, String> part, String several) {
    Set<String> different =
        draft.planned().stream().map(part).collect(Collectors.toCollection(LinkedHashSet::new));
    return different.size() == 1 ? different.iterator().next() : different.size() + " " + several;
  }

  private static String copies(int count) {
    return count == 1 ? "1 copy" : count + " copies";
  }
}
