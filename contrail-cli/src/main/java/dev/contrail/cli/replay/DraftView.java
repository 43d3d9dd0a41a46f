package dev.contrail.cli.replay;

import dev.contrail.cli.output.Table;
import dev.contrail.operations.replay.Draft;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
    if (!draft.planned().isEmpty()) {
      Table table =
          new Table()
              .wholeColumn("ID")
              .column("SUBJECT")
              .column("STREAM")
              .column("FOR")
              .column("MESSAGE ID")
              .numberColumn("VERSION")
              .numberColumn("BYTES")
              .column("OUTCOME");
      whole()
          .planned()
          .forEach(
              it ->
                  table.row(
                      it.id(),
                      it.subject(),
                      it.stream(),
                      it.consumer().isEmpty() ? "any" : it.consumer(),
                      it.messageId(),
                      version(it),
                      it.bytes(),
                      it.outcome()));
      tools.surroundings().out().print(table.render(tools.surroundings().terminal()));
    }
    tools.answer(
        draft.planned().isEmpty()
            ? "Nothing would be published."
            : "This was a dry run: " + copies(draft.planned().size()) + " would be published.");
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
