package dev.contrail.operations.orphans;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.Provision;
import dev.contrail.operations.DeadLetters;
import dev.contrail.operations.orphans.ReapPlan.Fate;
import dev.contrail.operations.stranded.Quay;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What tests of reapers have in common. */
final class Reaps {
  static final Set<OrphanClass> BOTH = Set.of(OrphanClass.UNCLAIMED, OrphanClass.EXHAUSTED);

  private Reaps() {}

  /** Makes the streams that are needed. */
  static void prepare(Quay quay) throws Exception {
    assertThat(reap(quay, Fate.DEAD_LETTER, Optional.empty(), 1).reaped()).isZero();
  }

  static ReapPort real(Quay quay) {
    return reaper(quay).port(plan(quay, Duration.ZERO, Fate.DEAD_LETTER, Optional.empty(), true));
  }

  static ReapReport reap(Quay quay, ReapPort port) throws Exception {
    ReapPlan plan = plan(quay, Duration.ZERO, Fate.DEAD_LETTER, Optional.empty(), true);
    return reaper(quay)
        .reap(plan, port, System::nanoTime, () -> true, () -> false, (done, of) -> {});
  }

  static ReapReport reap(Quay quay, Fate fate, Optional<String> to) throws Exception {
    return reap(quay, fate, to, 0);
  }

  static ReapReport reap(Quay quay, Fate fate, Optional<String> to, int hours) throws Exception {
    return reaper(quay)
        .reap(plan(quay, Duration.ofHours(hours), fate, to, true), () -> false, (done, of) -> {});
  }

  static ReapPlan plan(
      Quay quay, Duration olderThan, Fate fate, Optional<String> to, boolean really) {
    return new ReapPlan(List.of(quay.stream), olderThan, BOTH, fate, to, Optional.empty(), really);
  }

  static Reaper reaper(Quay quay) {
    return new Reaper(quay.connection, Quay.OPTIONS, quay.names, Provision.CREATE, "test@host");
  }

  static List<DeadLetterId> letters(Quay quay) {
    return quay
        .server
        .subjects(quay.names.deadLetterStream(), quay.names.deadLetterSubjects())
        .keySet()
        .stream()
        .map(it -> DeadLetterId.ofSubject(quay.names.prefix(), it).orElseThrow())
        .toList();
  }

  static Reason reason(Quay quay, DeadLetterId id) {
    return new DeadLetters(quay.connection, Quay.OPTIONS, quay.names)
        .find(id)
        .orElseThrow()
        .death()
        .reason();
  }

  static Status status(Quay quay, DeadLetterId id) {
    return new EventStore(quay.connection, Quay.OPTIONS, quay.names).state(id).join().status();
  }
}
