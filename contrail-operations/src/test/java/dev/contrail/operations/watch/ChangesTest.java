package dev.contrail.operations.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Rule;
import dev.contrail.operations.orphans.OrphanClass;
import dev.contrail.operations.orphans.Orphans;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangesTest {
  private static final Rule ONE = Rule.NO_LIMIT;
  private static final Rule OTHER = Rule.MEMORY_STREAM;
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @Test
  void at_first_all_findings_appear() {
    List<Finding> found = List.of(finding(ONE, "ORDERS", "a"), finding(OTHER, "ORDERS", "b"));

    assertThat(FindingChanges.between(List.of(), found))
        .isEqualTo(new FindingChanges(found, List.of()));
    assertThat(FindingChanges.between(found, List.of()))
        .isEqualTo(new FindingChanges(List.of(), found));
  }

  @Test
  void a_finding_with_other_numbers_is_the_same() {
    assertThat(
            FindingChanges.between(
                List.of(finding(ONE, "ORDERS", "17 messages wait")),
                List.of(finding(ONE, "ORDERS", "18 messages wait"))))
        .isEqualTo(new FindingChanges(List.of(), List.of()));
  }

  @Test
  void rule_stream_and_consumer_make_a_finding_another() {
    Finding before = Finding.of(ONE, "ORDERS", "billing", "same", List.of());
    for (Finding after :
        List.of(
            Finding.of(OTHER, "ORDERS", "billing", "same", List.of()),
            Finding.of(ONE, "JOBS", "billing", "same", List.of()),
            Finding.of(ONE, "ORDERS", "mail", "same", List.of()),
            Finding.of(ONE, "ORDERS", "same", List.of()),
            Finding.of(ONE, "same"))) {
      assertThat(FindingChanges.between(List.of(before), List.of(after)))
          .isEqualTo(new FindingChanges(List.of(after), List.of(before)));
    }
  }

  @Test
  void of_several_in_one_place_the_new_one_is_told() {
    Finding first = finding(ONE, "ORDERS", "orders.a overlaps");
    Finding second = finding(ONE, "ORDERS", "orders.b overlaps");

    assertThat(FindingChanges.between(List.of(first), List.of(second, first)))
        .isEqualTo(new FindingChanges(List.of(second), List.of()));
    assertThat(FindingChanges.between(List.of(first, second), List.of(second)))
        .isEqualTo(new FindingChanges(List.of(), List.of(first)));
  }

  @Test
  void orphans_are_summed_up_by_stream_and_class() {
    List<OrphanTotal> totals =
        OrphanTotal.of(
            List.of(
                orphans("ORDERS", OrphanClass.EXHAUSTED, 5, Optional.empty(), "a"),
                orphans("ORDERS", OrphanClass.UNCLAIMED, 2, Optional.empty(), "b"),
                orphans("ORDERS", OrphanClass.UNCLAIMED, 3, Optional.of(NOON), "c", "d"),
                orphans("ORDERS", OrphanClass.UNCLAIMED, 1, Optional.of(NOON.plusSeconds(1)), "e"),
                orphans("JOBS", OrphanClass.UNCLAIMED, 1, Optional.empty(), "f")));

    assertThat(totals)
        .containsExactly(
            new OrphanTotal("JOBS", OrphanClass.UNCLAIMED, 1, 1, Optional.empty()),
            new OrphanTotal("ORDERS", OrphanClass.UNCLAIMED, 6, 4, Optional.of(NOON)),
            new OrphanTotal("ORDERS", OrphanClass.EXHAUSTED, 5, 1, Optional.empty()));
  }

  @Test
  void orphans_are_told_when_a_stream_has_them_and_when_it_no_longer_does() {
    OrphanTotal two = total("ORDERS", OrphanClass.UNCLAIMED, 2);
    OrphanTotal three = total("ORDERS", OrphanClass.UNCLAIMED, 3);
    OrphanTotal exhausted = total("ORDERS", OrphanClass.EXHAUSTED, 2);

    assertThat(OrphanChanges.between(List.of(), List.of(two), List.of()))
        .isEqualTo(new OrphanChanges(List.of(two), List.of(), List.of()));
    assertThat(OrphanChanges.between(List.of(two), List.of(three), List.of()))
        .isEqualTo(new OrphanChanges(List.of(), List.of(), List.of()));
    assertThat(OrphanChanges.between(List.of(three), List.of(exhausted), List.of()))
        .isEqualTo(new OrphanChanges(List.of(exhausted), List.of(three), List.of()));
  }

  private static Finding finding(Rule rule, String stream, String found) {
    return Finding.of(rule, stream, found, List.of());
  }

  private static OrphanTotal total(String stream, OrphanClass kind, long count) {
    return new OrphanTotal(stream, kind, count, 1, Optional.empty());
  }

  private static Orphans orphans(
      String stream, OrphanClass kind, long count, Optional<Instant> oldest, String... subjects) {
    return new Orphans(
        stream,
        kind,
        List.of(subjects),
        count,
        Orphans.Count.EXACT,
        0,
        false,
        oldest,
        List.of(),
        "",
        "");
  }
}
