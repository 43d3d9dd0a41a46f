package dev.contrail.operations.doctor;

import dev.contrail.jetstream.doctor.Finding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** All that the doctor looks for. */
final class Checks {
  private static final Comparator<Finding> WORST_FIRST =
      Comparator.comparing((Finding finding) -> finding.rule().severity())
          .thenComparing(finding -> finding.stream().orElse(""))
          .thenComparing(finding -> finding.consumer().orElse(""))
          .thenComparing(finding -> finding.rule().code());

  private static final List<Check> ALL =
      List.of(
          WorkedConsumers.CONFIGURATION.everywhere(),
          WorkedConsumers.LEDGER.everywhere(),
          WorkedConsumers.HALF_USED.everywhere(),
          ForeignConsumers.MAX_DELIVER.everywhere(),
          ForeignConsumers.BACK_OFF.everywhere(),
          ForeignConsumers.ACK_NONE.everywhere(),
          ForeignConsumers.ADVISORIES,
          Deliveries.STALL.everywhere(),
          Deliveries.STORM.everywhere(),
          Claims.UNCLAIMED.everywhere(),
          Claims.OVERLAPPING.everywhere(),
          Claims.NO_INTEREST.everywhere(),
          Claims.FORGOTTEN.everywhere(),
          StreamLimits.NONE.everywhere(),
          StreamLimits.DISCARDS_WORK.everywhere(),
          StreamLimits.UNREAD_WILL_GO.everywhere(),
          StreamLimits.FULL_SOON.everywhere(),
          Safety.STREAMS.everywhere(),
          Safety.DUPLICATES.everywhere(),
          Safety.SYNC,
          KnownLosses.CHECK.everywhere(),
          OwnStores.CHECK,
          (survey, found) -> survey.probed().forEach(found));

  private Checks() {}

  /** What they find, each once, the worst first. */
  static List<Finding> run(Survey survey) {
    Set<Finding> found = new LinkedHashSet<>();
    ALL.forEach(check -> check.look(survey, found::add));
    List<Finding> sorted = new ArrayList<>(found);
    sorted.sort(WORST_FIRST);
    return List.copyOf(sorted);
  }
}
