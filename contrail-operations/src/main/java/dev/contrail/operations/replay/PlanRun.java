package dev.contrail.operations.replay;

import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanProgress;
import dev.contrail.plan.PlanState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what is left of a plan: so many entries under way at once, one begun after the other
 * as fast as allowed, the canary first and alone. When it is to stop, it begins no more; what is
 * under way comes to its end.
 */
final class PlanRun {
  private static final int MOST_UNDER_WAY = 1_000;
  private static final int MOST_KILOBYTES_UNDER_WAY = 32 << 10;
  private static final long GLANCE = TimeUnit.MILLISECONDS.toNanos(50);

  private final RunContext run;
  private final List<PlanEntry> entries;
  private final Map<Integer, PlanProgress> done;
  private final EntryReplay replay;
  private final Letters letters;
  private final ProgressLog log;
  private final Following following;
  private final ServerFacts facts;
  private final StopSign stop;
  private final RunListener listener;

  private final Room room = new Room(MOST_UNDER_WAY, MOST_KILOBYTES_UNDER_WAY);
  private final List<EntryResult.Unsettled> unsettled = new ArrayList<>();
  private final AtomicInteger settled = new AtomicInteger();
  private final Map<String, String> incarnations = new ConcurrentHashMap<>();

  PlanRun(
      RunContext run,
      List<PlanEntry> entries,
      Map<Integer, PlanProgress> done,
      EntryReplay replay,
      Letters letters,
      ProgressLog log,
      Following following,
      ServerFacts facts,
      StopSign stop,
      RunListener listener) {
    this.run = run;
    this.entries = entries;
    this.done = done;
    this.replay = replay;
    this.letters = letters;
    this.log = log;
    this.following = following;
    this.facts = facts;
    this.stop = stop;
    this.listener = listener;
  }

  /** Returns when it is done, or was told to stop and nothing is under way any more. */
  List<EntryResult.Unsettled> carryOut() throws InterruptedException {
    settled.set(done.size());
    listener.settled(done.size(), entries.size());
    try {
      if (run.isAfterKill()) {
        following.awaitHeard();
      }
      // Asked before anything is published: one made meanwhile is never taken for the one before.
      run.head().options().to().flatMap(facts::streamTaking).ifPresent(this::lookAt);
      beginAll();
    } catch (RuntimeException e) {
      stop.stop(PlanState.Kind.STOPPED, reason(e));
    } finally {
      // Whatever happened, what was published is to be written down.
      room.awaitEmpty();
      Futures.get(log.flush());
    }
    return unsettled;
  }

  private static String reason(Throwable failure) {
    return failure instanceof ContrailException
        ? String.valueOf(failure.getMessage())
        : failure.toString();
  }

  private void beginAll() throws InterruptedException {
    int canary = run.head().options().canary();
    long next = System.nanoTime();
    for (int index = 0; index < entries.size() && !stop.isSet(); index++) {
      if (canary > 0 && index == canary) {
        awaitCanary(canary);
      }
      if (!done.containsKey(index) && !stop.isSet()) {
        next = awaitTurn(next);
        if (!stop.isSet()) {
          begin(index);
        }
      }
    }
  }

  /** Returns the turn after this one. */
  private long awaitTurn(long next) throws InterruptedException {
    if (run.head().options().rate().isEmpty()) {
      return next;
    }
    long now = System.nanoTime();
    stop.await(next - now);
    long interval = run.head().options().rate().get().interval().toNanos();
    // What was missed is not made up for: a burst is what a rate is there to prevent.
    return Math.max(next, now) + interval;
  }

  private void begin(int index) throws InterruptedException {
    PlanEntry entry = entries.get(index);
    Optional<DeadLetter> letter;
    try {
      letter = letters.next(entry);
    } catch (UnreadableEvidenceException e) {
      leftOut(index, String.valueOf(e.getMessage()));
      return;
    }
    if (letter.isEmpty()) {
      leftOut(index, "its dead letter is gone");
      return;
    }
    if (run.head().options().to().isEmpty()) {
      lookAt(entry.id().stream());
    }
    int size = kilobytes(letter.get());
    room.enter(size);
    if (stop.isSet()) {
      room.leave(size);
      return;
    }
    following.begin(entry, letter.get().death().failure().fingerprint());
    var unused =
        replayed(index, entry, letter.get())
            .whenComplete(
                (result, failure) -> {
                  try {
                    ended(index, result, failure);
                  } finally {
                    room.leave(size);
                  }
                });
  }

  private CompletableFuture<EntryResult> replayed(int index, PlanEntry entry, DeadLetter letter) {
    try {
      return replay.replay(index, entry, letter);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void leftOut(int index, String why) {
    ended(index, new EntryResult.Settled(new PlanProgress.LeftOut(index, why)), null);
  }

  private static int kilobytes(DeadLetter letter) {
    return (letter.message().payload().length >> 10) + 1;
  }

  private void ended(int index, @Nullable EntryResult result, @Nullable Throwable failure) {
    if (result instanceof EntryResult.Settled settledNow) {
      PlanProgress progress = withIncarnation(settledNow.progress());
      log.add(progress);
      following.settled(progress);
      listener.settled(settled.incrementAndGet(), entries.size());
      return;
    }
    String why =
        result instanceof EntryResult.Unsettled known
            ? known.why()
            : String.valueOf(failure == null ? "" : Futures.cause(failure).getMessage());
    synchronized (unsettled) {
      unsettled.add(new EntryResult.Unsettled(index, why));
    }
    if (failure != null) {
      stop.stop(PlanState.Kind.STOPPED, why);
    }
  }

  private void lookAt(String stream) {
    // One that is missing may be made meanwhile.
    if (!incarnations.containsKey(stream)) {
      facts.incarnation(stream).ifPresent(found -> incarnations.put(stream, found));
    }
  }

  private PlanProgress withIncarnation(PlanProgress progress) {
    if (progress instanceof PlanProgress.Published copy && copy.incarnation().isEmpty()) {
      String known = incarnations.get(copy.stream());
      return known == null ? copy : copy.in(known);
    }
    return progress;
  }

  private void awaitCanary(int size) throws InterruptedException {
    room.awaitEmpty();
    Futures.get(log.flush());
    // Nobody will ever tell what became of it.
    unsettledAmong(size).ifPresent(why -> stop.stop(PlanState.Kind.STOPPED, why));
    if (!stop.isSet() && !following.areKnown(size)) {
      listener.notice("Waiting for the outcome of the first " + size + ".");
      while (!following.areKnown(size) && !stop.await(GLANCE)) {
        following.look();
      }
    }
    if (run.head().options().stopOnReturn()) {
      following
          .failureAmong(size, run.seenUntil())
          .ifPresent(why -> stop.stop(PlanState.Kind.STOPPED, why));
    }
  }

  private Optional<String> unsettledAmong(int first) {
    synchronized (unsettled) {
      return unsettled.stream()
          .filter(it -> it.index() < first)
          .findFirst()
          .map(
              it ->
                  "it is not known whether the copy of "
                      + entries.get(it.index()).id()
                      + ", of the canary, was published: "
                      + it.why());
    }
  }
}
