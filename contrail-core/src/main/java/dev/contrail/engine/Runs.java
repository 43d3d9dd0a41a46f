package dev.contrail.engine;

import dev.contrail.failure.Classification;
import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/** Starts messages, takes their outcomes, and holds them while they must not run. */
final class Runs<M> {
  private final WorkerPolicy policy;
  private final Port<M> port;
  private final Deliveries<M> deliveries;
  private final Stores<M> stores;
  private final Completions<M> ledger;
  private final Verdicts<M> verdicts;
  private final Lanes<M> lanes;
  private final Breaker breaker;
  private final Probes<M> probes;

  /** Those whose handler was given up by timeout and has not returned yet, by sequence. */
  private final Map<Long, InFlight<M>> stuck = new HashMap<>();

  private boolean paused;
  private boolean gaveUp;

  Runs(
      WorkerPolicy policy,
      Port<M> port,
      RandomGenerator random,
      Deliveries<M> deliveries,
      Stores<M> stores,
      Completions<M> ledger,
      Verdicts<M> verdicts) {
    this.policy = policy;
    this.port = port;
    this.deliveries = deliveries;
    this.stores = stores;
    this.ledger = ledger;
    this.verdicts = verdicts;
    this.lanes = new Lanes<>(policy.concurrency());
    this.breaker = new Breaker(policy.breaker());
    this.probes =
        new Probes<>(policy.breaker(), breaker, port, random, deliveries, stores, verdicts);
  }

  boolean breakerOpen() {
    return breaker.isOpen();
  }

  /** Nothing speaks against it: it may run in its turn. */
  void ready(InFlight<M> message, Now now) {
    InFlight<M> running = stuck.get(message.sequence());
    if (running != null) {
      failUnrun(message, stillRunning(running), now);
      return;
    }
    message.move(DeliveryEvent.CLEARED);
    message.suspect = message.deliveries() >= policy.retry().suspectFrom();
    queue(message);
  }

  private void queue(InFlight<M> message) {
    if (!holdsBack()) {
      lanes.add(message);
    }
  }

  /** Whether what is ready waits until the lanes are filled anew. */
  private boolean holdsBack() {
    return paused || gaveUp || breaker.isOpen();
  }

  void startReady(Now now) {
    if (holdsBack()) {
      return;
    }
    Optional<InFlight<M>> next = lanes.next();
    while (next.isPresent()) {
      if (deliveries.stillOurs(next.get(), now)) {
        start(next.get());
      }
      next = lanes.next();
    }
  }

  private void start(InFlight<M> message) {
    lanes.started(message);
    if (message.deliveries() >= policy.retry().deliveryLimit()) {
      // Killed from here on, the note is all that tells this message from its neighbours.
      message.move(DeliveryEvent.NOTE_START);
      stores.noteStart(message);
    } else {
      run(message);
    }
  }

  void startNoted(InFlight<M> message, Now now) {
    if (deliveries.stillOurs(message, now)) {
      run(message);
    } else {
      stores.takeBackStart(message);
    }
  }

  private void run(InFlight<M> message) {
    message.move(DeliveryEvent.STARTED);
    port.run(message);
  }

  void ended(InFlight<M> message, Outcome outcome, Now now) {
    if (!message.isRun()) {
      stuck.remove(message.sequence(), message);
      return;
    }
    conclude(message, outcome, now);
  }

  private void conclude(InFlight<M> message, Outcome outcome, Now now) {
    lanes.left(message, true);
    boolean done = outcome instanceof Outcome.Done;
    if (!deliveries.stillOurs(message, now)) {
      endUnleased(message, done);
      return;
    }
    if (gaveUp && !done) {
      giveBack(message, now);
      return;
    }
    boolean mayBeOutage = outcome.mayBeOutage();
    if (done && breaker.succeeded()) {
      closed();
    } else if (mayBeOutage && breaker.failed(message.sequence(), now)) {
      opened(outcome);
    }
    message.outcome = outcome;
    judge(message, breaker.isOpen() && mayBeOutage, now);
  }

  /** Nothing is sent for it, but nobody who gets it later shall do the work again. */
  private void endUnleased(InFlight<M> message, boolean done) {
    stores.takeBackStart(message);
    if (done && ledger.areKept(message)) {
      message.move(DeliveryEvent.COMPLETED);
      ledger.record(message);
    } else {
      deliveries.endUnleased(message);
    }
  }

  /** Its completion is stored. */
  void recorded(InFlight<M> message, Now now) {
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
    // tried again here of which the ledger was not asked since it was delivered.
    boolean mayBeTried = !isStuck(message) && !(ledger.areKept(message) && message.renewed);
    message.held = outage && mayBeTried && !verdicts.expires(message, probes.nextTurn(), now);
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
    if (!breaker.isOpen()) {
      // It closed while the outcome was being noted.
      message.move(DeliveryEvent.RELEASED);
      queue(message);
    }
  }

  /** With where it hung, or the dead letter of a message that hangs would not tell. */
  private static Throwable stillRunning(InFlight<?> running) {
    Outcome outcome = running.outcome;
    return new StillRunningException(outcome == null ? null : Verdicts.causeOf(outcome));
  }

  private void failUnrun(InFlight<M> message, Throwable cause, Now now) {
    message.outcome = new Outcome.Failed(cause, new Classification.Unclassified());
    verdicts.decide(message, breaker.isOpen(), now);
    verdicts.carryOut(message, now);
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
    return started.isPresent()
        && now.nanos() - started.getAsLong() > policy.handlerTimeout().toNanos();
  }

  private void timeOut(InFlight<M> message, Now now) {
    Throwable cause = port.interrupt(message, policy.handlerTimeout());
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

  // Letting go.

  private void giveBack(InFlight<M> message, Now now) {
    stores.takeBackStart(message);
    deliveries.giveBack(message, now);
  }

  /** Its lease is lost. What no thread has begun with shall not be begun. */
  void lose(InFlight<M> message) {
    recall(message);
    if (message.is(DeliveryState.NOTING) && isDone(message) && ledger.areKept(message)) {
      // The note was for the ack, which is not sent any more; that the work is done stays true.
      message.move(DeliveryEvent.COMPLETED);
      ledger.record(message);
    }
    deliveries.lose(message);
    stores.takeBackStart(message);
  }

  /** All are messages of a stream that is no more: none may be taken for a new one. */
  void forgetAll() {
    stuck.clear();
    for (InFlight<M> message : new ArrayList<>(deliveries.all())) {
      recall(message);
      letGo(message);
    }
    stores.forgetNotes();
    deliveries.memory().clear();
  }

  private void letGo(InFlight<M> message) {
    if (!message.isUnleased()) {
      deliveries.lose(message);
    }
    if (message.isUnleased()) {
      deliveries.endUnleased(message);
    }
  }

  /** Takes it back if no thread has begun with it; returns whether that was so. */
  boolean recall(InFlight<M> message) {
    boolean recalled =
        message.is(DeliveryState.STARTING)
            || (message.is(DeliveryState.RUNNING) && port.recall(message));
    if (recalled) {
      message.move(DeliveryEvent.RECALLED);
      lanes.left(message, false);
    }
    return recalled;
  }

  private void recallAll() {
    for (InFlight<M> message : deliveries.all()) {
      if (recall(message)) {
        stores.takeBackStart(message);
      }
    }
  }

  // The circuit breaker.

  private void opened(Outcome outcome) {
    recallAll();
    port.report(new WorkerEvent.BreakerOpened<>(Verdicts.causeOf(outcome)));
  }

  private void closed() {
    deliveries.in(DeliveryState.TRIED).forEach(message -> message.move(DeliveryEvent.RELEASED));
    lanes.refill(deliveries.in(DeliveryState.READY));
    port.report(new WorkerEvent.BreakerClosed<>());
  }

  /** While the breaker is open: tries one, or lets some go. */
  void probe(Now now, boolean windowFull) {
    if (!paused && !gaveUp) {
      probes.next(windowFull, now).ifPresent(this::start);
    }
  }

  // Pause and end.

  void pause() {
    paused = true;
    recallAll();
  }

  void resume() {
    paused = false;
    lanes.refill(deliveries.in(DeliveryState.READY));
  }

  boolean isPaused() {
    return paused;
  }

  /** Returns what waits to be run. */
  void returnWaiting(Now now) {
    recallAll();
    for (InFlight<M> message : new ArrayList<>(deliveries.all())) {
      if (message.waitsToRun()) {
        giveBack(message, now);
      }
    }
  }

  /** The time to finish is over: what waits goes back, what runs is interrupted and then does. */
  void giveUp(Duration drainTimeout, Now now) {
    gaveUp = true;
    returnWaiting(now);
    for (InFlight<M> message : new ArrayList<>(deliveries.all())) {
      stores.takeBackStart(message);
      if (message.isRun()) {
        port.interrupt(message, drainTimeout);
      } else if (message.is(DeliveryState.NOTING) && !message.held) {
        // It has its outcome; returning a success would repeat it.
        verdicts.carryOut(message, now);
      } else if (!message.isCompleted()) {
        deliveries.giveBack(message, now);
      }
    }
  }

  /** Neither acked nor returned: what was sent to the ledger may have been stored. */
  void letGoCompleted() {
    for (InFlight<M> message : new ArrayList<>(deliveries.all())) {
      if (message.isCompleted()) {
        letGo(message);
      }
    }
  }
}
