package dev.contrail.operations.view;

import dev.contrail.ledger.SequenceSet;
import dev.contrail.operations.audit.AuditReport;
import dev.contrail.operations.audit.Fate;
import dev.contrail.operations.audit.Gap;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** An audit as scripts see it. */
public record AuditFields(
    String stream,
    String incarnation,
    Instant at,
    long from,
    long to,
    String beginsSince,
    long messages,
    long unaccounted,
    List<OfConsumer> consumers,
    List<String> notes,
    boolean complete) {
  public record OfConsumer(
      String consumer, boolean ledger, long unaccounted, List<OfFate> fates, List<GapView> gaps) {}

  public record OfFate(String fate, long messages, double share, List<RangeView> ranges) {}

  public record RangeView(long from, long to) {}

  public record GapView(
      long from, long to, long messages, String cause, String reason, Optional<String> command) {}

  public static AuditFields of(AuditReport report) {
    return new AuditFields(
        report.stream(),
        report.incarnation(),
        report.at(),
        report.from(),
        report.to(),
        report.why(),
        report.messages(),
        report.count(Fate.UNACCOUNTED),
        report.consumers().stream().map(consumer -> consumer(report, consumer)).toList(),
        report.notes(),
        report.complete());
  }

  private static OfConsumer consumer(AuditReport report, AuditReport.OfConsumer found) {
    return new OfConsumer(
        found.consumer(),
        found.ledger(),
        found.count(Fate.UNACCOUNTED),
        Arrays.stream(Fate.values())
            .filter(fate -> found.count(fate) > 0)
            .map(fate -> fate(report, found, fate))
            .toList(),
        found.gaps().stream().map(AuditFields::gap).toList());
  }

  private static OfFate fate(AuditReport report, AuditReport.OfConsumer found, Fate fate) {
    SequenceSet set = found.fates().getOrDefault(fate, new SequenceSet());
    return new OfFate(
        fate.text(),
        set.count(),
        (double) set.count() / report.messages(),
        set.ranges().stream().map(range -> new RangeView(range.from(), range.to())).toList());
  }

  private static GapView gap(Gap gap) {
    return new GapView(
        gap.from(), gap.to(), gap.messages(), gap.cause().text(), gap.reason(), gap.command());
  }
}
