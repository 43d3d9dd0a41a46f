package dev.contrail.operations.orphans;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.StreamMessages.Found;
import dev.contrail.operations.burial.Burial;
import dev.contrail.operations.burial.Burial.Result;
import dev.contrail.operations.orphans.ReapPlan.Fate;
import dev.contrail.operations.stranded.ConsumerView;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Takes away some messages of one subject. Killed after any step, a message is still in its stream
 * or is whole in its dead letter, and whoever repeats the step finds that dead letter.
 */
final class Harvest {
  /** A message is deleted only when its consumers were looked at so short a time before. */
  private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

  private static final int TRIES = 5;

  private static final String ANOTHER = "another message has the sequence by now";

  /** Why the dead letter of a message is closed that stays in its stream. */
  private static final String NOT_TAKEN = "not taken from its stream: somebody may claim it";

  private static final String UNWANTED = "an orphan that nobody wants";

  /** Reasons of reapers, of which the message may be in its stream all the same. */
  private static final Set<String> OWN_REASONS = Set.of(NOT_TAKEN, UNWANTED);

  private final ReapPort port;
  private final Fate fate;
  private final ReapReport report;
  private final ReapReport.Line line;
  private final LongSupplier nanoTime;
  private final Clock clock;
  private Target target;

  /** For a subject. */
  Harvest(
      ReapPort port,
      Fate fate,
      Target target,
      ReapReport report,
      ReapReport.Line line,
      LongSupplier nanoTime,
      Clock clock) {
    this.port = port;
    this.fate = fate;
    this.target = target;
    this.report = report;
    this.line = line;
    this.nanoTime = nanoTime;
    this.clock = clock;
  }

  /** A message whose dead letter is stored. */
  private record Kept(Found found, DeadLetterId letter, boolean now) {
    long sequence() {
      return found.sequence();
    }
  }

  /**
   * Takes them away.
   *
   * @return why the rest is to be left alone as well; empty if it is not
   */
  Optional<String> take(List<Found> some) throws InterruptedException {
    target = target.withReaders(port.readers(target.stream()));
    // Before anything is written: a dead letter of a message that somebody claims misleads.
    Optional<String> objection = target.objection(port.consumers(target.stream()));
    if (objection.isPresent()) {
      line.left(some.size(), objection.get());
      return objection;
    }
    List<Kept> kept = bury(some);
    if (target.stays()) {
      line.reaped(kept.size());
      return Optional.empty();
    }
    if (fate == Fate.DELETE) {
      discard(kept, UNWANTED);
    } else {
      kept.stream()
          .filter(it -> !it.now())
          .map(it -> port.reopen(it.letter(), OWN_REASONS))
          .toList()
          .forEach(OrphanScan::joined);
    }
    if (fate == Fate.HAND_OVER) {
      kept = handOver(kept);
    }
    return delete(kept);
  }

  private List<Kept> bury(List<Found> some) {
    List<CompletableFuture<Optional<String>>> filed =
        some.stream()
            .map(it -> port.filedUnder(target.mayBeFiledUnder(), target.stream(), it))
            .toList();
    List<CompletableFuture<Result>> burials = new ArrayList<>();
    for (int i = 0; i < some.size(); i++) {
      String consumer = OrphanScan.joined(filed.get(i)).orElse(target.consumer());
      burials.add(port.bury(target.corpse(some.get(i).sequence(), consumer, clock.instant())));
    }
    List<Kept> kept = new ArrayList<>();
    for (int i = 0; i < some.size(); i++) {
      Result result = OrphanScan.joined(burials.get(i));
      if (result instanceof Burial.Result.Buried buried
          && buried.message().is(some.get(i).message())) {
        kept.add(new Kept(some.get(i), buried.id(), buried.now()));
      } else if (result instanceof Burial.Result.Purged purged && fate == Fate.DELETE) {
        kept.add(new Kept(some.get(i), purged.id(), false));
      } else if (result instanceof Burial.Result.Purged) {
        line.left(1, "the dead letter was purged; --delete deletes what it was of");
      } else if (result instanceof Burial.Result.Gone || result instanceof Result.NoStream) {
        line.gone(1);
      } else {
        line.left(1, ANOTHER);
      }
    }
    return kept;
  }

  private List<Kept> handOver(List<Kept> kept) throws InterruptedException {
    Map<DeadLetterId, String> not = port.handOver(kept.stream().map(Kept::letter).toList());
    not.values().forEach(why -> line.left(1, why));
    return kept.stream().filter(it -> !not.containsKey(it.letter())).toList();
  }

  private void discard(List<Kept> kept, String why) {
    kept.stream().map(it -> port.discard(it.letter(), why)).toList().forEach(OrphanScan::joined);
  }

  private Optional<String> delete(List<Kept> kept) {
    List<Kept> rest = kept;
    for (int i = 0; i < TRIES && !rest.isEmpty(); i++) {
      long asked = nanoTime.getAsLong();
      List<ConsumerView> consumers = port.consumers(target.stream());
      Optional<String> objection = target.objection(consumers);
      if (objection.isPresent()) {
        leaveAlone(rest, objection.get());
        return objection;
      }
      rest = deleteWhileFresh(stillThere(rest), asked);
    }
    leaveAlone(rest, "the server took more than a second to answer about its consumers");
    return Optional.empty();
  }

  /**
   * Those that have their sequences yet: a stream that was deleted and made again, or restored,
   * hands the sequences to messages that have no dead letter.
   */
  private List<Kept> stillThere(List<Kept> some) {
    List<CompletableFuture<Optional<Found>>> reads =
        some.stream().map(it -> port.at(target.stream(), it.sequence())).toList();
    List<Kept> there = new ArrayList<>();
    for (int i = 0; i < some.size(); i++) {
      Optional<Found> now = OrphanScan.joined(reads.get(i));
      if (now.isEmpty()) {
        line.gone(1);
      } else if (now.get().equals(some.get(i).found())) {
        there.add(some.get(i));
      } else {
        line.left(1, ANOTHER);
      }
    }
    return there;
  }

  /** Deletes until the look at the consumers is too old; the result is what is left to do. */
  private List<Kept> deleteWhileFresh(List<Kept> some, long asked) {
    Map<Kept, CompletableFuture<Boolean>> deletions = new LinkedHashMap<>();
    for (Kept one : some) {
      if (nanoTime.getAsLong() - asked > FRESH_NANOS) {
        break;
      }
      deletions.put(one, port.delete(target.stream(), one.sequence()));
    }
    List<Kept> deleted = new ArrayList<>();
    deletions.forEach(
        (one, deletion) -> {
          if (OrphanScan.joined(deletion)) {
            deleted.add(one);
          } else {
            line.gone(1);
          }
        });
    line.reaped(deleted.size());
    if (!deleted.isEmpty()) {
      lookAgain(deleted);
    }
    return some.subList(deletions.size(), some.size());
  }

  private void lookAgain(List<Kept> deleted) {
    Set<String> came =
        target
            .withReaders(port.readers(target.stream()))
            .newcomers(port.consumers(target.stream()));
    came.forEach(
        claimant ->
            report.slipped(
                new ReapReport.Slipped(
                    target.stream(),
                    target.subject(),
                    claimant,
                    deleted.get(0).sequence(),
                    deleted.get(deleted.size() - 1).sequence(),
                    deleted.size())));
  }

  private void leaveAlone(List<Kept> rest, String why) {
    if (rest.isEmpty()) {
      return;
    }
    if (fate == Fate.HAND_OVER) {
      line.left(rest.size(), why + "; a copy was handed over already, and may be processed too");
      return;
    }
    line.left(rest.size(), why);
    if (fate == Fate.DEAD_LETTER) {
      // Somebody may process them yet: no reason to replay.
      discard(rest.stream().filter(Kept::now).toList(), NOT_TAKEN);
    }
  }
}
