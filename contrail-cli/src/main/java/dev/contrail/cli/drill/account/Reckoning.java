package dev.contrail.cli.drill.account;

import dev.contrail.cli.drill.place.Published;
import dev.contrail.cli.drill.worker.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Goes through all facts and tells what became of each number. */
public final class Reckoning {
  private final Facts facts;
  private final Map<Long, List<Run>> runs;
  private final Tally lost = new Tally(Promise.NOTHING_LOST);
  private final Tally stuck = new Tally(Promise.NOTHING_LOST);
  private final Tally evidenceLost = new Tally(Promise.WHOLE_EVIDENCE);
  private final Tally doubled = new Tally(Promise.ONE_DEAD_LETTER);
  private final Tally unrecorded = new Tally(Promise.ACCOUNTED_FOR);
  private final Tally neverRun = new Tally(Promise.NOTHING_LOST);
  private final Tally healthyDead = new Tally(Promise.DIES_ALONE);
  private int processed;
  private int dead;
  private int resolved;

  private Reckoning(Facts facts) {
    this.facts = facts;
    this.runs = facts.runs().stream().collect(Collectors.groupingBy(Run::number));
  }

  /** What the facts come to. */
  public static Account of(Facts facts) {
    return new Reckoning(facts).account();
  }

  private Account account() {
    facts.published().forEach(this::fate);
    DuplicateRuns repeated = DuplicateRuns.of(facts, runs);
    List<Breach> breaches = new ArrayList<>();
    lost.breach("lost: neither processed nor dead-lettered nor in the stream")
        .ifPresent(breaches::add);
    neverRun.breach("recorded as completed although no handler ended").ifPresent(breaches::add);
    stuck
        .breach("neither processed nor dead in the end, and still in the stream")
        .ifPresent(breaches::add);
    evidenceLost.breach("dead without whole evidence").ifPresent(breaches::add);
    doubled.breach("with more than one dead letter").ifPresent(breaches::add);
    unrecorded.breach("done, and not on record as completed").ifPresent(breaches::add);
    healthyDead.breach("healthy, and dead-lettered").ifPresent(breaches::add);
    breaches.addAll(repeated.breaches());
    facts
        .unreadable()
        .forEach(it -> breaches.add(new Breach(Promise.WHOLE_EVIDENCE, "unreadable evidence", it)));
    facts
        .auditGaps()
        .forEach(it -> breaches.add(new Breach(Promise.ACCOUNTED_FOR, "the audit has a gap", it)));
    if (!facts.settled()) {
      breaches.add(
          new Breach(
              Promise.NOTHING_LOST,
              "the consumer did not settle everything in time",
              "see the timeline"));
    }
    return new Account(
        facts.published().size(),
        processed,
        dead,
        resolved,
        lost.count() + neverRun.count(),
        evidenceLost.count(),
        doubled.count(),
        facts.runs().size(),
        repeated.duplicates(),
        breaches);
  }

  private void fate(Published work) {
    Letter letter = facts.letters().get(work.sequence());
    if (letter != null && letter.copies() > 1) {
      doubled.add(work, "its death has " + letter.copies() + " dead letters");
    }
    if (work.isToDie()) {
      death(work, letter);
    } else if (letter != null) {
      dead++;
      healthyDead.add(work, "died after " + letter.deliveries() + " deliveries");
    } else {
      completion(work);
    }
  }

  private void death(Published work, @Nullable Letter letter) {
    if (letter == null) {
      if (isPresent(work)) {
        stuck.add(work, "is to die, and has no dead letter");
      } else {
        evidenceLost.add(work, "was terminated, and there is no dead letter");
        lost.add(work, "is gone from the stream without a dead letter");
      }
      return;
    }
    letter
        .differs(work)
        .ifPresentOrElse(
            how -> evidenceLost.add(work, how),
            () -> {
              if (work.task().kind() != Task.Kind.REJECT_ONCE) {
                dead++;
              } else if (letter.resolved() && isDone(work)) {
                resolved++;
              } else if (letter.resolved()) {
                neverRun.add(work, "is resolved, and no handler has done it");
              } else {
                stuck.add(work, "was replayed, and is not resolved");
              }
            });
  }

  private void completion(Published work) {
    boolean recorded = facts.completed().map(it -> it.contains(work.sequence())).orElse(true);
    if (isDone(work) && recorded) {
      processed++;
    } else if (isDone(work)) {
      processed++;
      unrecorded.add(work, "was done, and the ledger does not have it");
    } else if (recorded && facts.completed().isPresent()) {
      neverRun.add(work, "is completed for the ledger, and no handler has done it");
    } else if (isPresent(work) && !facts.acked().containsKey(work.sequence())) {
      stuck.add(work, "is still in the stream, and was not done");
    } else {
      lost.add(work, "was acknowledged, and no handler has done it");
    }
  }

  private boolean isPresent(Published work) {
    return facts.present().contains(work.sequence());
  }

  private boolean isDone(Published work) {
    return runs.getOrDefault(work.number(), List.of()).stream().anyMatch(Run::isDone);
  }
}
