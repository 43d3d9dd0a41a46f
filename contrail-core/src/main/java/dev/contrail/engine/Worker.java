package dev.contrail.engine;

import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * One worker of a consumer, as a machine without I/O: every method is an event, and what is to be
 * done about it goes out through the {@link Port}. Not thread-safe: one thread, or one simulation,
 * drives it, calling {@link #tick} first in every cycle.
 *
 * @param <M> what the runtime knows a delivery by
 */
public final class Worker<M> {
  /** How long a pull stays with the server. */
  public static final Duration PULL_EXPIRES = Duration.ofSeconds(20);

  /** How often the server gives a sign of life while it has nothing to deliver. */
  public static final Duration PULL_HEARTBEAT = Duration.ofSeconds(4);

  private static final long LONGEST_SCAN = Duration.ofSeconds(1).toNanos();

  private final WorkerPolicy policy;
  private final Port<M> port;
  private final Leases<M> leases;
  private final Pace pace;
  private final Deliveries<M> deliveries;
  private final Stores<M> stores;
  private final Completions<M> completions;
  private final Verdicts<M> verdicts;
  private final Starts<M> starts;
  private final Runs<M> runs;
  private final Checks<M> checks;
  private final Drain<M> drain;
  private final Standstill<M> standstill;
  private final Pulls<M> pulls;

  private boolean objected;
  private Optional<Now> lastScan = Optional.empty();

  /**
   * A worker that holds nothing yet.
   *
   * @param ledger whether completions are recorded and looked up
   */
  public Worker(
      WorkerPolicy policy, Duration ackWait, boolean ledger, Port<M> port, RandomGenerator random) {
    this.policy = policy;
    this.port = port;
    this.leases = new Leases<>(ackWait);
    this.pace = new Pace(policy.concurrency(), policy.window());
    this.deliveries = new Deliveries<>(port, leases, pace);
    this.stores = new Stores<>(port);
    this.completions = new Completions<>(ledger, port);
    this.verdicts = new Verdicts<>(policy.retry(), random, port, deliveries, stores, completions);
    this.starts = new Starts<>(policy, port, random, deliveries, stores, completions, verdicts);
    this.runs =
        new Runs<>(
            policy.handlerTimeout(), port, deliveries, stores, completions, verdicts, starts);
    this.checks =
        new Checks<>(
            policy.retry().deliveryLimit(),
            deliveries,
            stores,
            completions,
            verdicts,
            starts,
            runs);
    this.drain = new Drain<>(port, deliveries, stores, completions, verdicts, starts, runs);
    this.pulls = new Pulls<>(policy, port, pace);
    this.standstill = new Standstill<>(port);
  }

  // What the consumer and its stream are like.

  /** The consumer is there: pull. */
  public void consumerReady(Duration ackWait, Optional<Duration> streamMaxAge) {
    leases.ackWait(ackWait);
    verdicts.maxAge(streamMaxAge);
    pulls.open();
  }

  /** The consumer takes no pull for more than this. */
  public void mostPerPull(int messages, long bytes) {
    pulls.mostPerPull(messages, bytes);
  }

  /** The consumer is gone or cannot be reached: pull no more until it is back. */
  public void consumerGone() {
    pulls.shut();
  }

  /** Whether the ledger objects to how the consumer is set up: pull nothing while it does. */
  public void ledgerObjects(boolean objects) {
    if (objects && !objected) {
      pulls.end();
    }
    objected = objects;
  }

  /** The stream was deleted and made again: nothing held has a meaning any more. */
  public void streamReplaced() {
    runs.forgetAll();
  }

  // Deliveries.

  /** The server delivered a message on one of the pulls; {@code bytes} as the server counts. */
  public void delivered(
      M message,
      long sequence,
      long count,
      long publishedMillis,
      long bytes,
      long arrivedNanos,
      Now now) {
    pulls.received(bytes, now);
    if (standstill.makesDoubtful()) {
      deliveries.passOver();
      return;
    }
    InFlight<M> known = deliveries.find(sequence);
    if (known != null && isToBeCheckedAnew(known, count)) {
      runs.lose(known);
      known = null;
    }
    if (known != null) {
      // The handler of an earlier delivery may still be at it: never a second one beside it.
      deliveries.adopt(known, message, count, arrivedNanos);
      return;
    }
    InFlight<M> arrived = new InFlight<>(message, sequence, count, publishedMillis, bytes);
    arrived.replayed = port.isReplayed(arrived);
    deliveries.add(arrived, arrivedNanos);
    if (starts.isEnded() || starts.isPaused()) {
      deliveries.giveBack(arrived, now);
    } else {
      try {
        checks.begin(arrived, now);
      } catch (RuntimeException | Error e) {
        deliveries.drop(arrived, e);
      }
      starts.startReady(now);
    }
  }

  /**
   * Whether what was found out of it may not be true any more. Another worker may have held it
   * while it waited here, and finished or buried it; and one that held it before may have finished
   * late.
   */
  private boolean isToBeCheckedAnew(InFlight<M> known, long count) {
    return completions.areKept(known)
        ? known.waitsToRun() || starts.recall(known)
        : known.waitsToRun() && count != known.deliveries() + 1;
  }

  /** Answer to {@link Port#lookUpCompletions}; {@code completed} are positions in the batch. */
  public void completionsLookedUp(List<InFlight<M>> batch, BitSet completed, Now now) {
    completions.lookedUp(batch);
    for (int i = 0; i < batch.size(); i++) {
      InFlight<M> message = batch.get(i);
      try {
        checks.completionChecked(message, batch, completed.get(i), now);
      } catch (RuntimeException | Error e) {
        // Not all the others of the batch with it.
        deliveries.drop(message, e);
      }
    }
    starts.startReady(now);
  }

  /**
   * No answer to {@link Port#lookUpCompletions} yet, but a sign that whoever is asked is there: the
   * messages are held until another one's outcome or what they are is known, and the answer comes
   * then. That outcome may be a matter of what waits here for the store to be back, or for its
   * turn.
   */
  public void lookUpHeld(List<InFlight<M>> batch, Now now) {
    completions.putOff(batch);
    starts.lookUpHeld(batch);
    starts.startReady(now);
  }

  /** Answer to {@link Port#lookUpCompletions}: not known. */
  public void lookUpFailed(List<InFlight<M>> batch, Throwable cause, Now now) {
    completions.lookUpFailed(batch, cause, now);
    starts.lookUpFailed(batch);
  }

  /** Answer to {@link Port#recordCompletions}: all are confirmed stored. */
  public void completionsRecorded(List<InFlight<M>> batch, Now now) {
    completions.recorded(batch);
    for (InFlight<M> message : batch) {
      try {
        runs.recorded(message, now);
      } catch (RuntimeException | Error e) {
        deliveries.drop(message, e);
      }
    }
  }

  /** Answer to {@link Port#recordCompletions}: it is not known whether they are stored. */
  public void recordingFailed(List<InFlight<M>> batch, Throwable cause, Now now) {
    completions.recordingFailed(batch, cause, now);
  }

  /** Answer to {@link Port#checkDeadLetter}. */
  public void deadLetterChecked(InFlight<M> message, boolean found, Now now) {
    checks.deadLetterChecked(message, found, now);
    starts.startReady(now);
  }

  /** Answer to {@link Port#readNote}. */
  public void noteRead(InFlight<M> message, Optional<RunNote> note, Now now) {
    checks.noteRead(message, note, now);
    starts.startReady(now);
  }

  /** Answer to {@link Port#writeNote}. */
  public void noteStored(InFlight<M> message, Now now) {
    if (!stores.noteStored(message)) {
      return;
    }
    if (message.isStartNoted()) {
      starts.prepared(message, now);
    } else if (message.is(DeliveryState.NOTING)) {
      runs.outcomeNoted(message, now);
    }
  }

  /** Answer to {@link Port#bury}: the dead letter is confirmed stored, whole. */
  public void buried(InFlight<M> message, Now now) {
    stores.buried(message);
    if (message.is(DeliveryState.BURYING)) {
      deliveries.terminate(message, now);
    }
  }

  /** Answer to any command on a store that failed in a way that any message would meet. */
  public void storeFailed(StoreKind store, InFlight<M> message, Throwable cause, Now now) {
    stores.failed(store, message, cause, now);
  }

  /**
   * Answer to {@link Port#checkDeadLetter} and {@link Port#bury}: the dead letter of this message
   * cannot be read or stored, which says nothing about that of any other.
   */
  public void deadLetterRefused(InFlight<M> message, Throwable cause, Now now) {
    stores.refused(message, cause, now);
  }

  /** Answer to {@link Port#run}: the handler's run came to this end. */
  public void ended(InFlight<M> message, Outcome outcome, Now now) {
    try {
      runs.ended(message, outcome, now);
    } catch (RuntimeException | Error e) {
      // Or it would count as running, and its lease be extended, for ever.
      deliveries.drop(message, e);
    }
    starts.startReady(now);
  }

  /** Answer to {@link Port#extend}: those extensions reached the server. */
  public void leasesExtended(long token) {
    leases.confirmed(token);
  }

  /** Answer to {@link Port#echo}: all that was delivered before it has arrived. */
  public void echoed(long token) {
    standstill.echoed(token);
  }

  // Pulls.

  /** The server gave a sign of life on a pull. */
  public void heartbeat(Now now) {
    pulls.intake().heard(now);
  }

  /** A pull is over, whatever it still owed. */
  public void pullEnded(long pullId, Now now) {
    pulls.intake().heard(now);
    pulls.intake().ended(pullId);
  }

  /** A pull is over since the next message is larger than what was left of its bytes. */
  public void pullTooSmall(long pullId, Now now) {
    pulls.intake().heard(now);
    pulls.intake().tooSmall(pullId);
  }

  /** The connection was lost, and with it all pulls under way. */
  public void disconnected() {
    consumerGone();
  }

  // Steering.

  /** Start and take in nothing new; what is held stays held under its lease. */
  public void pause() {
    if (!starts.isPaused()) {
      pulls.end();
    }
    starts.pause();
  }

  /** Start and pull again. */
  public void resume() {
    starts.resume();
  }

  /** Pull no more, finish what is held, and return what is not finished in time. */
  public void drain(Duration timeout, Now now) {
    drain.begin(timeout, now);
  }

  /** Whether a drain has nothing left to wait for. */
  public boolean isDrained() {
    return drain.isDone();
  }

  public WorkerStatus status() {
    int held = stores.held() + completions.waiting();
    if (starts.breakerOpen()) {
      held += deliveries.in(DeliveryState.TRIED).size() + deliveries.in(DeliveryState.READY).size();
    }
    return new WorkerStatus(
        deliveries.counts(),
        deliveries.size(),
        deliveries.bytes(),
        held,
        starts.breakerOpen(),
        starts.isPaused());
  }

  /**
   * When the handler began that runs longest, on the monotonic clock; empty while none runs. Looks
   * through all that is held: to be asked every few seconds, not in every cycle.
   */
  public OptionalLong oldestStartNanos() {
    OptionalLong oldest = OptionalLong.empty();
    for (InFlight<M> message : deliveries.all()) {
      OptionalLong started = message.isRun() ? port.startedNanos(message) : OptionalLong.empty();
      if (started.isPresent()
          && (oldest.isEmpty() || started.getAsLong() - oldest.getAsLong() < 0)) {
        oldest = started;
      }
    }
    return oldest;
  }

  /** Whether this worker returned the message after a failure, and does not know it to be over. */
  public boolean isReturned(long sequence) {
    return deliveries.memory().isReturned(sequence);
  }

  /** Whether this worker holds the message at this moment. */
  public boolean holds(long sequence) {
    return deliveries.find(sequence) != null;
  }

  // Time.

  /** What time brings about. To be called first in every cycle, and at least every AckWait / 10. */
  public void tick(Now now) {
    standstill.tick(leases.longestUnderWayNanos(), now);
    keepLeases(now);
    lookAfterRuns(now);
    stores.tick(now);
    starts.startReady(now);
    starts.probe(now, pulls.isFull(deliveries.size(), deliveries.bytes()));
    // After whoever may have something to ask, for the next cycle may be a while away.
    completions.tick(now);
    drain.tick(now);
    pace.tick(now);
    pullMore(now);
  }

  private void keepLeases(Now now) {
    List<InFlight<M>> due = leases.due(now);
    if (due.isEmpty()) {
      return;
    }
    List<InFlight<M>> standing = new ArrayList<>(due.size());
    for (InFlight<M> message : due) {
      if (leases.stands(message, now)) {
        standing.add(message);
      } else {
        runs.lose(message);
      }
    }
    if (!standing.isEmpty()) {
      port.extend(standing, leases.sent(standing, now));
    }
  }

  /** All of them are looked through, so only every now and then. */
  private void lookAfterRuns(Now now) {
    long every = Math.min(policy.handlerTimeout().toNanos() / 10, LONGEST_SCAN);
    if (lastScan.isEmpty() || now.nanos() - lastScan.get().nanos() >= every) {
      lastScan = Optional.of(now);
      runs.timeOut(now);
      starts.lookUpWaiting(now);
    }
  }

  private void pullMore(Now now) {
    pulls.noticeSilence(now);
    boolean wants =
        !drain.hasBegun()
            && !objected
            && !completions.holdBack()
            && !starts.isPaused()
            && !standstill.makesDoubtful();
    if (wants) {
      int waiting = stores.waiting() + completions.waitingCopies();
      pulls.pull(deliveries.size(), deliveries.bytes(), waiting, starts.breakerOpen(), now);
    }
  }
}
