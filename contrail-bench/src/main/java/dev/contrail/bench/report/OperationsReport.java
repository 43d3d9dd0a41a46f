package dev.contrail.bench.report;

import java.util.List;

/** What it costs to look after streams that others work on. */
public record OperationsReport(
    OrphanReport orphans, AuditSize audit, GuardSize guard, List<Aim> aims) {
  /** Draws the conclusions. */
  public static OperationsReport of(OrphanReport orphans, AuditSize audit, GuardSize guard) {
    return new OperationsReport(orphans, audit, guard, Aims.of(orphans, audit, guard));
  }
}
