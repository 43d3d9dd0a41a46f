package dev.contrail.engine;

import dev.contrail.policy.RetryPolicy;
import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Starts messages when their turn comes, holds them back while none may run, and takes back those
 * that no thread has begun with.
 */
final class Starts<M> {
  private final RetryPolicy retry;
  private final Port<M> port;
  private final Deliveries<M> deliveries;
  private final Stores<M> stores;
  private final Completions<M> completions;
  private final Lanes<M> lanes;
  private final Breaker breaker;
  private final Probes<M> probes;

  private boolean paused;
  private boolean ended;

  Starts(
      WorkerPolicy policy,
      Port<M> port,
      RandomGenerator random,
      Deliveries<M> deliveries,
      Stores<M> stores,
      Completions<M> completions,
      Verdicts<M> verdicts) {
    this.retry = policy.retry();
    this.port = port;
    this.deliveries = deliveries;
    this.stores = stores;
    this.completions = completions;
    this.lanes = new Lanes<>(policy.concurrency());
    this.breaker = new Breaker(policy.breaker());
    this.probes =
        new Probes<>(policy.breaker(), breaker, port, random, deliveries, stores, verdicts);
  }

  /** Nothing speaks against it: it may run in its turn. */
  void ready(InFlight<M> message) {
    message.move(DeliveryEvent.CLEARED);
    message.suspect = message.deliveries() >= retry.suspectFrom();
    queue(message);
  }

  /** One that is ready. */
  void queue(InFlight<M> message) {
    if (!holdsBack()) {
      lanes.add(message);
    }
  }

  /** Whether what is ready waits until the lanes are filled anew. */
  private boolean holdsBack() {
    return paused || ended || breaker.isOpen();
  }

  void startReady(Now now) {
    if (holdsBack()) {
      return;
    }
    Optional<InFlight<M>> next = lanes.next();
    while (next.isPresent()) {
      if (deliveries.stillOurs(next.get(), now)) {
        start(next.get(), now);
      }
      next = lanes.next();
    }
  }

  private void start(InFlight<M> message, Now now) {
    lanes.started(message);
    runOrPrepare(message, now);
  }

  private void runOrPrepare(InFlight<M> message, Now now) {
    boolean toBeLookedUp = completions.isOutdated(message, now);
    boolean toBeNoted = message.deliveries() >= retry.deliveryLimit() && !message.noted;
    if (!toBeLookedUp && !toBeNoted) {
      message.move(DeliveryEvent.STARTED);
      port.run(message);
      return;
    }
    if (message.is(DeliveryState.READY)) {
      message.move(DeliveryEvent.PREPARED);
    }
    if (toBeLookedUp) {
      completions.lookUp(message);
    } else {
      // Killed from here on, the note is all that tells this message from its neighbours.
      stores.noteStart(message);
    }
  }

  /** Its turn had come, and what was to be done before it runs is done. */
  void prepared(InFlight<M> message, Now now) {
    if (deliveries.stillOurs(message, now)) {
      runOrPrepare(message, now);
    } else {
      stores.takeBackStart(message);
    }
  }

  /** It was looked up once more, since it waited long for its turn or for a thread. */
  void lookedUpAgain(InFlight<M> message, boolean completed, Now now) {
    if (completed) {
      if (takeBack(message)) {
        deliveries.ackUnrun(message, now);
      }
    } else if (message.is(DeliveryState.STARTING)) {
      prepared(message, now);
    }
  }

  /**
   * Those that wait long for a thread are looked up once more, where they wait. None is to be begun
   * with that could not be looked up: it is taken back then.
   */
  void lookUpWaiting(Now now) {
    List<InFlight<M>> outdated = new ArrayList<>();
    for (InFlight<M> message : deliveries.all()) {
      if (message.is(DeliveryState.RUNNING)
          && !message.completionPending
          && completions.isOutdated(message, now)
          && port.startedNanos(message).isEmpty()) {
        outdated.add(message);
      }
    }
    outdated.sort(Deliveries.IN_ORDER);
    for (InFlight<M> message : outdated) {
      if (completions.canLookUp(message)) {
        completions.lookUp(message);
      } else {
        queueAgain(message);
      }
    }
  }

  void lookUpFailed(List<InFlight<M>> batch) {
    for (InFlight<M> message : batch) {
      if (message.is(DeliveryState.RUNNING)) {
        queueAgain(message);
      }
    }
  }

  /**
   * Their answer has to wait: none is to be begun with before it, nor to keep a place from the one
   * that it waits for.
   */
  void lookUpHeld(List<InFlight<M>> batch) {
    for (InFlight<M> message : batch) {
      if (!message.occupiesLane() || !completions.isOpen(message, batch)) {
        continue;
      }
      if (takeBack(message)) {
        message.move(DeliveryEvent.DOUBTED);
      } else {
        // A thread has begun with it: whatever the answer is, it comes too late.
        completions.withdraw(message);
      }
    }
  }

  private void queueAgain(InFlight<M> message) {
    if (takeBack(message)) {
      queue(message);
    }
  }

  /** It ran, and came to an outcome. */
  void left(InFlight<M> message) {
    lanes.left(message, true);
  }

  // Taking back.

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

  /** The same, and whoever gets it next is told that it was not begun. */
  private boolean takeBack(InFlight<M> message) {
    boolean recalled = recall(message);
    if (recalled) {
      stores.takeBackStart(message);
    }
    return recalled;
  }

  private void takeBackAll() {
    deliveries.all().forEach(this::takeBack);
  }

  void giveBack(InFlight<M> message, Now now) {
    stores.takeBackStart(message);
    deliveries.giveBack(message, now);
  }

  /** Returns what waits to be run. */
  void returnWaiting(Now now) {
    takeBackAll();
    for (InFlight<M> message : deliveries.copy()) {
      if (message.waitsToRun()) {
        giveBack(message, now);
      }
    }
  }

  // The circuit breaker.

  boolean breakerOpen() {
    return breaker.isOpen();
  }

  /** After how long a message that the breaker holds from now on has been tried again. */
  Duration nextTurn() {
    return probes.nextTurn();
  }

  /** What its outcome says about all of them. */
  void heed(InFlight<M> message, Outcome outcome, Now now) {
    if (outcome instanceof Outcome.Done) {
      if (breaker.succeeded()) {
        closed();
      }
    } else if (outcome.mayBeOutage() && breaker.failed(message.sequence(), now)) {
      takeBackAll();
      port.report(new WorkerEvent.BreakerOpened<>(Verdicts.causeOf(outcome)));
    }
  }

  private void closed() {
    deliveries.in(DeliveryState.TRIED).forEach(message -> message.move(DeliveryEvent.RELEASED));
    lanes.refill(deliveries.in(DeliveryState.READY));
    port.report(new WorkerEvent.BreakerClosed<>());
  }

  /** While the breaker is open: tries one, or lets some go. */
  void probe(Now now, boolean windowFull) {
    if (!paused && !ended) {
      probes.next(windowFull, now).ifPresent(message -> start(message, now));
    }
  }

  // Pause and end.

  void pause() {
    paused = true;
    takeBackAll();
  }

  void resume() {
    paused = false;
    lanes.refill(deliveries.in(DeliveryState.READY));
  }

  boolean isPaused() {
    return paused;
  }

  /** Starts nothing any more, and returns what waits. */
  void end(Now now) {
    ended = true;
    returnWaiting(now);
  }

  boolean isEnded() {
    return ended;
  }
}
