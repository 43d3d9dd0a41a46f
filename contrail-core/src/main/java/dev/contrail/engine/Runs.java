package dev.contrail.engine;

import dev.contrail.failure.Classification;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Takes the outcomes of runs, and ends those that take too long. */
final class Runs<M> {
  private final Duration handlerTimeout;
  private final Port<M> port;
  private final Deliveries<M> deliveries;
  private final Stores<M> stores;
  private final Completions<M> completions;
  private final Verdicts<M> verdicts;
  private final Starts<M> starts;

  /**
   * Those whose handler was given up by timeout and has not returned yet, or was done after all and
   * that is yet to be recorded; by sequence.
   */
  private final Map<Long, InFlight<M>> stuck = new HashMap<>();

  Runs(
      Duration handlerTimeout,
      Port<M> port,
      Deliveries<M> deliveries,
      Stores<M> stores,
      Completions<M> completions,
      Verdicts<M> verdicts,
      Starts<M> starts) {
    this.handlerTimeout = handlerTimeout;
    this.port = port;
    this.deliveries = deliveries;
    this.stores = stores;
    this.completions = completions;
    this.verdicts = verdicts;
    this.starts = starts;
  }

  /** Fails it if the handler of an earlier delivery is still at it; returns whether so. */
  boolean failIfStuck(InFlight<M> message, Now now) {
    InFlight<M> running = stuck.get(message.sequence());
    if (running == null) {
      return false;
    }
    message.outcome = new Outcome.Failed(stillRunning(running), new Classification.Unclassified());
    verdicts.decide(message, starts.breakerOpen(), now);
    verdicts.carryOut(message, now);
    return true;
  }

  /** With where it hung, or the dead letter of a message that hangs would not tell. */
  private static Throwable stillRunning(InFlight<?> running) {
    Outcome outcome = running.outcome;
    return new StillRunningException(outcome == null ? null : Verdicts.causeOf(outcome));
  }

  void ended(InFlight<M> message, Outcome outcome, Now now) {
    if (message.isRun()) {
      conclude(message, outcome, now);
    } else if (stuck.get(message.sequence()) == message) {
      endedLate(message, outcome, now);
    }
  }

  /**
   * Its handler was given up, its delivery has failed, and now it is done. That is taken as it is
   * everywhere else: whoever returns says that the work is done, also one that was interrupted (a
   * handler that gives up because of that has to throw; the end of a worker relies on it too).
   * Recorded, for the message comes again, and a handler that always takes a little longer than it
   * may would do its work over and over.
   */
  private void endedLate(InFlight<M> message, Outcome outcome, Now now) {
    boolean done = outcome instanceof Outcome.Done;
    if (done && message.is(DeliveryState.NOTING)) {
      // Nothing was sent for it yet.
      message.outcome = outcome;
      message.held = false;
      verdicts.decide(message, false, now);
    } else if (done && completions.areKept(message)) {
      message.doneLate = true;
      completions.record(message);
      port.report(new WorkerEvent.DoneLate<>(message));
      return;
    }
    stuck.remove(message.sequence(), message);
  }

  /** Whether completions are yet to be recorded of messages that are not held any more. */
  boolean recordsLate() {
    return stuck.values().stream().anyMatch(message -> message.doneLate);
  }

  private void conclude(InFlight<M> message, Outcome outcome, Now now) {
    starts.left(message);
    boolean done = outcome instanceof Outcome.Done;
    if (!deliveries.stillOurs(message, now)) {
      endUnleased(message, done);
      return;
    }
    if (starts.isEnded() && !done) {
      starts.giveBack(message, now);
      return;
    }
    starts.heed(message, outcome, now);
    message.outcome = outcome;
    judge(message, starts.breakerOpen() && outcome.mayBeOutage(), now);
  }

  /** Nothing is sent for it, but nobody who gets it later shall do the work again. */
  private void endUnleased(InFlight<M> message, boolean done) {
    stores.takeBackStart(message);
    if (done && completions.areKept(message)) {
      message.move(DeliveryEvent.COMPLETED);
      completions.record(message);
    } else {
      deliveries.endUnleased(message);
    }
  }

  /** Its completion is stored. */
  void recorded(InFlight<M> message, Now now) {
    if (message.doneLate) {
      message.doneLate = false;
      stuck.remove(message.sequence(), message);
    }
    if (message.is(DeliveryState.RECORDING)) {
      deliveries.ack(message, now);
    }
    if (message.is(DeliveryState.RECORDING_UNLEASED)) {
      deliveries.endUnleased(message);
    }
  }

  private void judge(InFlight<M> message, boolean outage, Now now) {
    verdicts.decide(message, outage, now);
    // A handler that is stuck must not be started a second time beside itself, nor a message be
    // tried again here of which nothing was found out since it was delivered.
    boolean mayBeTried = !isStuck(message) && !(completions.areKept(message) && message.renewed);
    message.held = outage && mayBeTried && !verdicts.expires(message, starts.nextTurn(), now);
    boolean dies = message.action instanceof Action.Bury && !message.held;
    if (message.noted && !dies) {
      // Noted before it is acted on: an ack that gets lost must not look like a killed worker.
      message.move(DeliveryEvent.NOTE_OUTCOME);
      stores.noteEnd(message);
    } else {
      act(message, now);
    }
  }

  void outcomeNoted(InFlight<M> message, Now now) {
    message.noted = false;
    act(message, now);
  }

  private void act(InFlight<M> message, Now now) {
    if (!message.held) {
      verdicts.carryOut(message, now);
      return;
    }
    message.move(DeliveryEvent.HELD);
    if (!starts.breakerOpen()) {
      // It closed while the outcome was being noted.
      message.move(DeliveryEvent.RELEASED);
      starts.queue(message);
    }
  }

  /** Interrupts the handlers that run too long; their deliveries have failed. */
  void timeOut(Now now) {
    List<InFlight<M>> late = new ArrayList<>();
    for (InFlight<M> message : deliveries.all()) {
      if (message.isRun() && runsTooLong(message, now)) {
        late.add(message);
      }
    }
    late.forEach(message -> timeOut(message, now));
  }

  private boolean runsTooLong(InFlight<M> message, Now now) {
    OptionalLong started = port.startedNanos(message);
    return started.isPresent() && now.nanos() - started.getAsLong() > handlerTimeout.toNanos();
  }

  private void timeOut(InFlight<M> message, Now now) {
    Throwable cause = port.interrupt(message, handlerTimeout);
    stuck.put(message.sequence(), message);
    port.report(new WorkerEvent.TimedOut<>(message));
    conclude(message, new Outcome.Failed(cause, new Classification.Unclassified()), now);
  }

  private static boolean isDone(InFlight<?> message) {
    return message.outcome instanceof Outcome.Done;
  }

  private boolean isStuck(InFlight<M> message) {
    return stuck.containsKey(message.sequence());
  }

  /** Its lease is lost. What no thread has begun with shall not be begun. */
  void lose(InFlight<M> message) {
    starts.recall(message);
    if (message.is(DeliveryState.NOTING) && isDone(message) && completions.areKept(message)) {
      // The note was for the ack, which is not sent any more; that the work is done stays true.
      message.move(DeliveryEvent.COMPLETED);
      completions.record(message);
    }
    deliveries.lose(message);
    stores.takeBackStart(message);
  }

  /** All are messages of a stream that is no more: none may be taken for a new one. */
  void forgetAll() {
    stuck.values().forEach(message -> message.doneLate = false);
    stuck.clear();
    for (InFlight<M> message : deliveries.copy()) {
      starts.recall(message);
      deliveries.letGo(message);
    }
    stores.forgetNotes();
    deliveries.memory().clear();
  }
}
