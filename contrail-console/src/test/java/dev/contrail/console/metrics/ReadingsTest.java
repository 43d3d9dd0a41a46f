package dev.contrail.console.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.console.health.Check;
import dev.contrail.console.health.Readiness;
import dev.contrail.event.Status;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.Store;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Rule;
import dev.contrail.operations.guard.GuardStatus;
import dev.contrail.operations.index.OpenTotal;
import dev.contrail.operations.index.ReplayTotals;
import dev.contrail.operations.index.StateTotal;
import dev.contrail.operations.orphans.OrphanClass;
import dev.contrail.operations.watch.OrphanTotal;
import dev.contrail.operations.watch.StoreFill;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReadingsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  @Test
  void what_is_not_known_yet_is_not_shown_as_zero() {
    Map<GaugeFamily, List<Sample>> readings = Readings.of(nothing());

    assertThat(readings.keySet()).containsExactly(GaugeFamily.values());
    assertThat(readings.values()).allMatch(List::isEmpty);
  }

  @Test
  void dead_letters_and_orphans_are_counted_with_their_age() {
    Facts facts =
        new Facts(
            NOW,
            List.of(
                new OpenTotal("ORDERS", Reason.REJECTED, 3, NOW.minusSeconds(60)),
                new OpenTotal("ORDERS", Reason.EXHAUSTED, 1, NOW.plusSeconds(5))),
            List.of(),
            ReplayTotals.NONE,
            Optional.empty(),
            Optional.of(
                List.of(
                    new OrphanTotal(
                        "JOBS", OrphanClass.UNCLAIMED, 7, 2, Optional.of(NOW.minusSeconds(9))),
                    new OrphanTotal("JOBS", OrphanClass.SUSPECTED, 2, 1, Optional.empty()))),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            new Readiness(List.of()));
    Map<GaugeFamily, List<Sample>> readings = Readings.of(facts);

    assertThat(readings.get(GaugeFamily.DEAD_LETTERS_OPEN))
        .containsExactly(Sample.of(3, "ORDERS", "rejected"), Sample.of(1, "ORDERS", "exhausted"));
    assertThat(readings.get(GaugeFamily.DEAD_LETTERS_OLDEST))
        .as("another machine's clock may be ahead")
        .containsExactly(Sample.of(60, "ORDERS", "rejected"), Sample.of(0, "ORDERS", "exhausted"));
    assertThat(readings.get(GaugeFamily.ORPHANS))
        .containsExactly(Sample.of(7, "JOBS", "unclaimed"), Sample.of(2, "JOBS", "suspected"));
    assertThat(readings.get(GaugeFamily.ORPHANS_OLDEST))
        .containsExactly(Sample.of(9, "JOBS", "unclaimed"));
  }

  @Test
  void dead_letters_are_counted_by_their_state_and_stores_shown_with_their_limits() {
    Facts facts =
        new Facts(
            NOW,
            List.of(),
            List.of(
                new StateTotal("ORDERS", Status.OPEN, 3),
                new StateTotal("ORDERS", Status.RESOLVED, 2),
                new StateTotal("JOBS", Status.RETURNED, 1)),
            ReplayTotals.NONE,
            Optional.of(
                List.of(
                    new StoreFill(
                        Store.DEAD_LETTERS, 6, 900, OptionalLong.empty(), OptionalLong.of(1_000)),
                    new StoreFill(Store.LEDGER, 1, 20, OptionalLong.of(50), OptionalLong.empty()))),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            new Readiness(List.of()));
    Map<GaugeFamily, List<Sample>> readings = Readings.of(facts);

    assertThat(readings.get(GaugeFamily.DEAD_LETTERS))
        .containsExactly(
            Sample.of(3, "ORDERS", "open"),
            Sample.of(2, "ORDERS", "resolved"),
            Sample.of(1, "JOBS", "returned"));
    assertThat(readings.get(GaugeFamily.STORE_MESSAGES))
        .containsExactly(Sample.of(6, "dead-letters"), Sample.of(1, "ledger"));
    assertThat(readings.get(GaugeFamily.STORE_BYTES))
        .containsExactly(Sample.of(900, "dead-letters"), Sample.of(20, "ledger"));
    assertThat(readings.get(GaugeFamily.STORE_MESSAGES_LIMIT))
        .as("what is not limited is left out")
        .containsExactly(Sample.of(50, "ledger"));
    assertThat(readings.get(GaugeFamily.STORE_BYTES_LIMIT))
        .containsExactly(Sample.of(1_000, "dead-letters"));
  }

  @Test
  void findings_are_counted_by_severity_and_code() {
    Rule rule = Rule.NO_LIMIT;
    Facts facts =
        new Facts(
            NOW,
            List.of(),
            List.of(),
            ReplayTotals.NONE,
            Optional.empty(),
            Optional.empty(),
            Optional.of(
                List.of(
                    Finding.of(rule, "A", "one", List.of()),
                    Finding.of(rule, "B", "two", List.of()))),
            Optional.empty(),
            List.of(),
            new Readiness(List.of(new Check("nats", false, "gone"))));

    assertThat(Readings.of(facts).get(GaugeFamily.FINDINGS))
        .containsExactly(Sample.of(2, rule.severity().toString(), rule.code()));
    assertThat(Readings.of(facts).get(GaugeFamily.READY)).containsExactly(Sample.of(0, "nats"));
  }

  @Test
  void a_guard_shows_its_lease_and_the_age_of_its_sweep() {
    Facts facts =
        new Facts(
            NOW,
            List.of(),
            List.of(),
            ReplayTotals.NONE,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(
                new GuardStatus(
                    true,
                    Optional.empty(),
                    4,
                    3,
                    2,
                    1,
                    0,
                    Optional.of(NOW.minusMillis(1_500)),
                    Optional.of("The dead-letter stream is full."))),
            List.of(),
            new Readiness(List.of()));
    Map<GaugeFamily, List<Sample>> readings = Readings.of(facts);

    assertThat(readings.get(GaugeFamily.GUARD_LEASE)).containsExactly(Sample.of(1));
    assertThat(readings.get(GaugeFamily.GUARD_WAITING)).containsExactly(Sample.of(1));
    assertThat(readings.get(GaugeFamily.GUARD_FAILING)).containsExactly(Sample.of(1));
    assertThat(readings.get(GaugeFamily.GUARD_SWEEP)).containsExactly(Sample.of(1.5));
  }

  @Test
  void streams_beyond_the_hundred_with_the_most_are_shown_together() {
    List<OpenTotal> totals = new ArrayList<>();
    for (int i = 1; i <= 250; i++) {
      totals.add(new OpenTotal("S" + i, Reason.REJECTED, i, NOW.minusSeconds(i)));
    }
    Facts facts =
        new Facts(
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
    Map<GaugeFamily, List<Sample>> readings = Readings.of(facts);

    assertThat(readings.get(GaugeFamily.DEAD_LETTERS_OPEN))
        .hasSize(StreamLabels.MOST + 1)
        .contains(
            Sample.of(250, "S250", "rejected"),
            Sample.of(151, "S151", "rejected"),
            Sample.of(150 * 151 / 2.0, StreamLabels.OTHER, "rejected"));
    assertThat(readings.get(GaugeFamily.DEAD_LETTERS_OLDEST))
        .hasSize(StreamLabels.MOST + 1)
        .contains(Sample.of(150, StreamLabels.OTHER, "rejected"));
  }

  private static Facts nothing() {
    return new Facts(
        NOW,
        List.of(),
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
