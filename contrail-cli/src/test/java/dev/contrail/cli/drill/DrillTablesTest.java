package dev.contrail.cli.drill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.drill.report.DrillReport;
import dev.contrail.cli.drill.report.ScenarioResult;
import dev.contrail.cli.output.Terminal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrillTablesTest {
  @Test
  void the_table_fits_into_80_columns() {
    DrillReport report =
        DrillReport.of(
            new DrillReport.Circumstances(
                Instant.EPOCH, "contrail", "contrail", "nats://127.0.0.1:4222", "2.15.1", true, 1),
            Duration.ofSeconds(1),
            List.of(
                ScenarioResult.skipped("evidence", "Evidence", "", "no server"),
                ScenarioResult.skipped("downtime", "Downtime", "", "no server")));

    String table = DrillTables.table(report).render(new Terminal(true, true, 80, false));

    assertThat(table.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    assertThat(table).contains("SCENARIO", "EVIDENCE", "downtime", "skipped");
  }
}
