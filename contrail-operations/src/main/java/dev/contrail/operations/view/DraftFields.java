package dev.contrail.operations.view;

import dev.contrail.operations.replay.Draft;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What a plan would do, as scripts see it. Fields keep their names. */
public record DraftFields(List<Planned> planned, List<LeftOut> leftOut, List<String> warnings) {
  /** A copy that would be published. */
  public record Planned(
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
  public record LeftOut(String id, String why) {}

  /** Of a draft. */
  public static DraftFields of(Draft draft) {
    return new DraftFields(
        draft.planned().stream().map(DraftFields::planned).toList(),
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

  /** Such as {@code 14 copies to orders.new of ORDERS for billing}. */
  public static String inWords(Draft draft) {
    return copies(draft.planned().size())
        + " to "
        + some(draft, Draft.Planned::subject, "subjects")
        + " of "
        + some(draft, Draft.Planned::stream, "streams")
        + " for "
        + some(draft, it -> it.consumer().orElse("any consumer"), "consumers")
        + versions(draft);
  }

  private static String versions(Draft draft) {
    long edited = draft.planned().stream().filter(it -> it.entry().version() > 0).count();
    long older = draft.planned().stream().filter(Draft.Planned::isOlder).count();
    return (edited == 0 ? "" : ", " + edited + " with an edited payload")
        + (older == 0 ? "" : ", " + older + " not with the newest version of it");
  }

  private static String some(Draft draft, Function<Draft.Planned, String> part, String several) {
    Set<String> different =
        draft.planned().stream().map(part).collect(Collectors.toCollection(LinkedHashSet::new));
    return different.size() == 1 ? different.iterator().next() : different.size() + " " + several;
  }

  private static String copies(int count) {
    return count == 1 ? "1 copy" : count + " copies";
  }
}
