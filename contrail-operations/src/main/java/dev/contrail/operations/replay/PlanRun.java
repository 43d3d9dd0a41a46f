package dev.contrail.operations.replay;

import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanProgress;
import dev.contrail.plan.PlanState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
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
  private final StopSign stop;
  private final RunListener listener;

  private final Semaphore room = new Semaphore(MOST_UNDER_WAY);
  private final Semaphore kilobytes = new Semaphore(MOST_KILOBYTES_UNDER_WAY);
  private final List<EntryResult.Unsettled> unsettled = new ArrayList<>();
  private final AtomicInteger settled = new AtomicInteger();

  PlanRun(
      RunContext run,
      List<PlanEntry> entries,
      Map<Integer, PlanProgress> done,
      EntryReplay replay,
      Letters letters,
      ProgressLog log,
      Following following,
      StopSign stop,
      RunListener listener) {
    this.run = run;
    this.entries = entries;
    this.done = done;
    this.replay = replay;
    this.letters = letters;
    this.log = log;
    this.following = following;
    this.stop = stop;
    this.listener = listener;
  }

  /** Returns when it is done, or was told to stop and nothing is under way any more. */
  List<EntryResult.Unsettled> carryOut() throws InterruptedException {
    settled.set(done.size());
    int canary = run.head().options().canary();
    long next = System.nanoTime();
    for (int index = 0; index < entries.size() && !stop.isSet(); index++) {
      if (canary > 0 && index == canary) {
        awaitCanary(canary);
      }
      if (!done.containsKey(index) && !stop.isSet()) {
        next = awaitTurn(next);
        begin(index);
      }
    }
    awaitAll();
    Futures.get(log.flush());
    return unsettled;
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
    room.acquire();
    if (stop.isSet()) {
      room.release();
      return;
    }
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
    int weight = weight(letter.get());
    kilobytes.acquire(weight);
    following.begin(entry, letter.get().death().failure().fingerprint());
    var unused =
        replayed(new EntryReplay.Work(index, entry, letter.get()))
            .whenComplete(
                (result, failure) -> {
                  ended(index, result, failure);
                  kilobytes.release(weight);
                  room.release();
                });
  }

  private CompletableFuture<EntryResult> replayed(EntryReplay.Work work) {
    try {
      return replay.replay(work);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void leftOut(int index, String why) {
    ended(index, new EntryResult.Settled(new PlanProgress.LeftOut(index, why)), null);
    room.release();
  }

  private static int weight(DeadLetter letter) {
    int kilobytes = (letter.message().payload().length >> 10) + 1;
    return Math.min(MOST_KILOBYTES_UNDER_WAY, kilobytes);
  }

  private void ended(int index, @Nullable EntryResult result, @Nullable Throwable failure) {
    if (result instanceof EntryResult.Settled done) {
      log.add(done.progress());
      following.settled(done.progress());
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

  private void awaitCanary(int size) throws InterruptedException {
    awaitAll();
    Futures.get(log.flush());
    if (!stop.isSet() && !following.areKnown(size)) {
      listener.notice("Waiting for the outcome of the first " + size + ".");
      while (!following.areKnown(size) && !stop.await(GLANCE)) {
        following.look();
      }
    }
    if (run.head().options().stopOnReturn()) {
      following.failureAmong(size).ifPresent(why -> stop.stop(PlanState.Kind.STOPPED, why));
    }
  }

  private void awaitAll() throws InterruptedException {
    room.acquire(MOST_UNDER_WAY);
    room.release(MOST_UNDER_WAY);
  }
}
