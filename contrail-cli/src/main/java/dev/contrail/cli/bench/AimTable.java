package dev.contrail.cli.bench;

import dev.contrail.bench.report.Aim;
import dev.contrail.cli.output.Table;
import java.util.List;

/** What Contrail aims at, and whether that was reached, for people. */
final class AimTable {
  private AimTable() {}

  static Table of(List<Aim> aims) {
    Table table =
        new Table().column("AIM").wholeColumn("WANTED").numberColumn("MEASURED").wholeColumn("");
    for (Aim aim : aims) {
      table.row(aim.what(), aim.wanted(), aim.measured(), aim.reached() ? "reached" : "missed");
    }
    return table;
  }
}
