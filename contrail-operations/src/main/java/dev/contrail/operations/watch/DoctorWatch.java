package dev.contrail.operations.watch;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Rule;
import dev.contrail.operations.doctor.Diagnosis;
import dev.contrail.operations.doctor.Doctor;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Has the doctor come again and again. Answers are of the last time that it could look. */
public final class DoctorWatch {
  private final Doctor doctor;
  private final Set<Rule> skipped;
  private volatile @Nullable Diagnosis latest;

  /**
   * Looks at all of the account.
   *
   * @param skipped rules that do not matter here
   */
  public DoctorWatch(Doctor doctor, Set<Rule> skipped) {
    this.doctor = doctor;
    this.skipped = Set.copyOf(skipped);
  }

  /**
   * Has it look once. Blocks; for one thread at a time.
   *
   * @return what is different since the last time
   * @throws ContrailException when the server does not answer
   */
  public FindingChanges look() throws InterruptedException {
    List<Finding> before = findings().orElse(List.of());
    Diagnosis now = without(doctor.examine(Optional.empty(), (done, total) -> {}));
    latest = now;
    return FindingChanges.between(before, now.findings());
  }

  private Diagnosis without(Diagnosis diagnosis) {
    return new Diagnosis(
        diagnosis.server(),
        diagnosis.streams(),
        diagnosis.consumers(),
        diagnosis.findings().stream().filter(it -> !skipped.contains(it.rule())).toList(),
        diagnosis.notChecked());
  }

  /** What it said last; empty before the first time. */
  public Optional<Diagnosis> latest() {
    return Optional.ofNullable(latest);
  }

  /** What it found last; empty before the first time. */
  public Optional<List<Finding>> findings() {
    return latest().map(Diagnosis::findings);
  }
}
