package dev.contrail.console.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.console.health.Readiness;
import dev.contrail.evidence.Reason;
import dev.contrail.operations.index.OpenTotal;
import dev.contrail.operations.index.ReplayTotals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MetricsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private List<OpenTotal> totals = List.of();

  @Test
  void what_is_gone_is_shown_no_longer() {
    try (Metrics metrics = new Metrics("1.2", this::facts)) {
      totals =
          List.of(
              new OpenTotal("ORDERS", Reason.REJECTED, 2, NOW),
              new OpenTotal("JOBS", Reason.REJECTED, 1, NOW));
      assertThat(Exposition.parse(metrics.scrape()))
          .containsEntry("contrail_version{version=\"1.2\"}", 1.0)
          .containsEntry("contrail_dead_letters_open{reason=\"rejected\",stream=\"ORDERS\"}", 2.0)
          .containsEntry("contrail_dead_letters_open{reason=\"rejected\",stream=\"JOBS\"}", 1.0)
          .containsEntry("contrail_guard_buried_total", 0.0)
          .containsKey("jvm_threads_live_threads");

      totals = List.of(new OpenTotal("ORDERS", Reason.REJECTED, 5, NOW));
      assertThat(Exposition.parse(metrics.scrape()))
          .containsEntry("contrail_dead_letters_open{reason=\"rejected\",stream=\"ORDERS\"}", 5.0)
          .doesNotContainKey("contrail_dead_letters_open{reason=\"rejected\",stream=\"JOBS\"}");
    }
  }

  @Test
  void a_hostile_name_breaks_no_line() {
    totals = List.of(new OpenTotal("A\"\\\n#x{}", Reason.REJECTED, 2, NOW));
    try (Metrics metrics = new Metrics("1.2", this::facts)) {
      assertThat(Exposition.parse(metrics.scrape()))
          .containsEntry(
              "contrail_dead_letters_open{reason=\"rejected\",stream=\"A\\\"\\\\\\n#x{}\"}", 2.0);
    }
  }

  @Test
  void every_metric_is_in_the_documents() throws IOException {
    String page = Files.readString(Path.of("../docs/metrics.md"));
    Set<String> names = new TreeSet<>();
    for (GaugeFamily family : GaugeFamily.values()) {
      String unit = family.unit().map(it -> "_" + it).orElse("");
      names.add(family.meter().replace('.', '_') + unit);
    }
    try (Metrics metrics = new Metrics("1.2", this::facts)) {
      Exposition.parse(metrics.scrape()).keySet().stream()
          .map(series -> series.replaceFirst("\\{.*", ""))
          .filter(name -> name.startsWith("contrail_"))
          .forEach(names::add);
    }

    assertThat(names).contains("contrail_orphans_oldest_age_seconds", "contrail_version");
    assertThat(names).allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
  }

  private Facts facts() {
    return new Facts(
        NOW,
        totals,
        List.of(),
        ReplayTotals.NONE,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        new Readiness(List.of()));
  }
}
