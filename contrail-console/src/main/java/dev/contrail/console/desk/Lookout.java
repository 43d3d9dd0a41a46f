package dev.contrail.console.desk;

import dev.contrail.operations.doctor.Diagnosis;
import dev.contrail.operations.guard.GuardStatus;
import dev.contrail.operations.orphans.OrphanScan;
import dev.contrail.operations.watch.OrphanTotal;
import java.util.List;
import java.util.Optional;

/** What guard, scans and doctor saw last. Empty before the first time. Answers from memory. */
public interface Lookout {
  Optional<OrphanScan.Result> orphans();

  Optional<List<OrphanTotal>> orphanTotals();

  Optional<Diagnosis> diagnosis();

  Optional<GuardStatus> guard();
}
