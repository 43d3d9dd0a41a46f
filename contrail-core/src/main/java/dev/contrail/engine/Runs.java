package dev.contrail.engine;

import dev.contrail.failure.Classification;
import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Starts messages, takes their outcomes, and does with them what the decision says. */
final class Runs<M> {
  private final WorkerPolicy policy;
  private final Port<M> port;
  private final RandomGenerator random;
  private final Deliveries<M> deliveries;
  private final Stores<M> stores;
  private final Lanes<M> lanes;
  private final Breaker breaker;

  /** Those whose handler was given up by timeout and has not returned yet, by sequence. */
  private final Map<Long, InFlight<M>> stuck = new HashMap<>();

  private @Nullable InFlight<M> probe;
  private Optional<Duration> maxAge = Optional.empty();
  private boolean paused;
  private boolean giveUp;

  Runs(
      WorkerPolicy policy,
      Port<M> port,
      RandomGenerator random,
      Deliveries<M> deliveries,
      Stores<M> stores) {
    this.policy = policy;
    this.port = port;
    this.random = random;
    this.deliveries = deliveries;
    this.stores = stores;
    this.lanes = new Lanes<>(policy.concurrency());
    this.breaker = new Breaker(policy.breaker());
  }

  boolean breakerOpen() {
    return breaker.isOpen();
  }

  void maxAge(Optional<Duration> age) {
    maxAge = age;
  }

  boolean isStuck(long sequence) {
    return stuck.containsKey(sequence);
  }

  /** It may run: in its turn, or at once if nothing holds the lanes. */
  void ready(InFlight<M> message) {
    message.move(DeliveryEvent.CLEARED);
    message.suspect = message.deliveries() >= policy.retry().suspectFrom();
    lanes.add(message);
  }

  void startReady() {
    if (paused || giveUp || breaker.isOpen()) {
      return;
    }
    Optional<InFlight<M>> next = lanes.next();
    while (next.isPresent()) {
      start(next.get());
      next = lanes.next();
    }
  }

  private void start(InFlight<M> message) {
    lanes.started(message);
    if (message.deliveries() >= policy.retry().deliveryLimit()) {
      // Killed from here on, the note is all that tells this message from its neighbours.
      message.move(DeliveryEvent.NOTE_START);
      message.noted = true;
      stores.note(message);
    } else {
      run(message);
    }
  }

  void startNoted(InFlight<M> message, Now now) {
    if (deliveries.stillOurs(message, now)) {
      run(message);
    } else {
      takeBackNote(message);
    }
  }

  private void run(InFlight<M> message) {
    message.move(DeliveryEvent.STARTED);
    port.run(message);
  }

  void ended(InFlight<M> message, Outcome outcome, Now now) {
    if (message == probe) {
      probe = null;
    }
    if (message.state().isOver() || !runs(message)) {
      stuck.remove(message.sequence(), message);
      return;
    }
    lanes.left(message, true);
    if (!deliveries.stillOurs(message, now)) {
      endUnleased(message);
      return;
    }
    if (giveUp && !(outcome instanceof Outcome.Done)) {
      giveBack(message, now);
      return;
    }
    conclude(message, outcome, now);
  }

  private void endUnleased(InFlight<M> message) {
    deliveries.endUnleased(message);
    takeBackNote(message);
  }

  /** Whoever gets the message next must not take it for one that killed its worker. */
  private void takeBackNote(InFlight<M> message) {
    if (message.noted) {
      message.noted = false;
      port.writeNote(message, new RunNote(RunNote.Kind.ENDED, message.deliveries()));
    }
  }

  private void giveBack(InFlight<M> message, Now now) {
    takeBackNote(message);
    deliveries.giveBack(message, now);
  }

  void lose(InFlight<M> message) {
    deliveries.lose(message);
    if (message.state().isOver()) {
      takeBackNote(message);
    }
  }

  private void conclude(InFlight<M> message, Outcome outcome, Now now) {
    boolean mayBeOutage = outcome.mayBeOutage();
    if (outcome instanceof Outcome.Done) {
      if (breaker.succeeded()) {
        closed();
      }
    } else if (mayBeOutage && breaker.failed(message.sequence(), now)) {
      opened(outcome);
    }
    message.outcome = outcome;
    // A handler that is stuck must not be started a second time beside itself.
    message.holdWhenNoted = breaker.isOpen() && mayBeOutage && !isStuck(message.sequence());
    message.action = decide(message, outcome, now);
    boolean dies = message.action instanceof Action.Bury && !message.holdWhenNoted;
    if (message.noted && !dies) {
      // Noted before it is acted on: an ack that gets lost must not look like a killed worker.
      message.move(DeliveryEvent.NOTE_OUTCOME);
      stores.note(message);
    } else {
      act(message, now);
    }
  }

  void outcomeNoted(InFlight<M> message, Now now) {
    message.noted = false;
    act(message, now);
  }

  private void act(InFlight<M> message, Now now) {
    if (message.holdWhenNoted) {
      message.move(DeliveryEvent.HELD);
      return;
    }
    Action action = Objects.requireNonNull(message.action);
    if (action instanceof Action.Complete) {
      deliveries.ack(message, now);
    } else if (action instanceof Action.Retry retry) {
      deliveries.retry(message, causeOf(Objects.requireNonNull(message.outcome)), retry, now);
    } else if (action instanceof Action.Bury bury) {
      message.condemn(bury.reason(), causeOf(Objects.requireNonNull(message.outcome)));
      bury(message);
    }
  }

  void bury(InFlight<M> message) {
    message.move(DeliveryEvent.DYING);
    stores.deadLetter(message);
  }

  /** It failed without having been run. */
  void failUnrun(InFlight<M> message, Throwable cause, Now now) {
    message.outcome = new Outcome.Failed(cause, new Classification.Unclassified());
    message.action = decide(message, message.outcome, now);
    act(message, now);
  }

  private Action decide(InFlight<M> message, Outcome outcome, Now now) {
    long expiresAt =
        maxAge.map(age -> message.publishedMillis() + age.toMillis()).orElse(Attempt.NEVER);
    Attempt attempt =
        new Attempt(
            message.deliveries(),
            deliveries.memory().failingSince(message, now),
            now.epochMillis(),
            expiresAt);
    return Decision.decide(outcome, attempt, policy.retry(), random.nextDouble());
  }

  private static Throwable causeOf(Outcome outcome) {
    if (outcome instanceof Outcome.Failed failed) {
      return failed.cause();
    }
    if (outcome instanceof Outcome.Undecodable undecodable) {
      return undecodable.cause();
    }
    throw new IllegalStateException("asked for the cause of a success");
  }

  /** Interrupts the handlers that run too long; their deliveries have failed. */
  void timeOut(Now now) {
    List<InFlight<M>> late = new ArrayList<>();
    for (InFlight<M> message : deliveries.all()) {
      if (runs(message) && runsTooLong(message, now)) {
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
    lanes.left(message, true);
    if (message == probe) {
      probe = null;
    }
    if (!deliveries.stillOurs(message, now)) {
      endUnleased(message);
      return;
    }
    conclude(message, new Outcome.Failed(cause, new Classification.Unclassified()), now);
  }

  private boolean runs(InFlight<M> message) {
    return message.is(DeliveryState.RUNNING) || message.is(DeliveryState.UNLEASED);
  }

  // The circuit breaker.

  private void opened(Outcome outcome) {
    recallAll();
    port.report(new WorkerEvent.BreakerOpened<>(causeOf(outcome)));
  }

  private void closed() {
    deliveries.in(DeliveryState.TRIED).forEach(message -> message.move(DeliveryEvent.RELEASED));
    lanes.refill(deliveries.in(DeliveryState.READY));
    port.report(new WorkerEvent.BreakerClosed<>());
  }

  private void recallAll() {
    for (InFlight<M> message : deliveries.in(DeliveryState.RUNNING)) {
      if (port.recall(message)) {
        message.move(DeliveryEvent.RECALLED);
        lanes.left(message, false);
        takeBackNote(message);
        lanes.add(message);
      }
    }
  }

  /** While the breaker is open: tries one, or lets a full window go of which all were tried. */
  void probe(Now now, boolean windowFull) {
    if (paused || giveUp || probe != null || !breaker.probeDue(now)) {
      return;
    }
    InFlight<M> candidate = pick();
    if (candidate == null) {
      List<InFlight<M>> tried = deliveries.in(DeliveryState.TRIED);
      if (tried.isEmpty()) {
        return;
      }
      if (windowFull || breaker.letGoDue(now)) {
        breaker.letGo(now);
        letGo(tried, now);
        return;
      }
      // Nothing lies behind that could not be pulled as well: go round, and no count rises.
      tried.forEach(message -> message.move(DeliveryEvent.RELEASED));
      candidate = Objects.requireNonNull(pick());
    }
    breaker.probed(now);
    probe = candidate;
    start(candidate);
  }

  /** One at random, first deliveries first. */
  private @Nullable InFlight<M> pick() {
    InFlight<M> picked = null;
    int seen = 0;
    for (InFlight<M> message : deliveries.all()) {
      if (!message.is(DeliveryState.READY)) {
        continue;
      }
      boolean first = message.deliveries() == 1;
      boolean pickedFirst = picked != null && picked.deliveries() == 1;
      if (first && !pickedFirst) {
        seen = 0;
      } else if (!first && pickedFirst) {
        continue;
      }
      if (random.nextInt(++seen) == 0) {
        picked = message;
      }
    }
    return picked;
  }

  private void letGo(List<InFlight<M>> tried, Now now) {
    port.report(new WorkerEvent.WindowLetGo<>(tried.size()));
    for (InFlight<M> message : tried) {
      message.holdWhenNoted = false;
      message.action = decide(message, Objects.requireNonNull(message.outcome), now);
      act(message, now);
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

  /** Returns what does not run and would not be finished soon. */
  void returnWaiting(Now now) {
    recallAll();
    for (InFlight<M> message : new ArrayList<>(deliveries.all())) {
      if (message.is(DeliveryState.NOTING)) {
        // It has its outcome; returning a success would repeat it.
        outcomeNoted(message, now);
      } else if (!runs(message)) {
        giveBack(message, now);
      }
    }
  }

  /** The time to finish is over: what waits goes back, what runs is interrupted and then does. */
  void giveUp(Duration drainTimeout, Now now) {
    giveUp = true;
    returnWaiting(now);
    for (InFlight<M> message : deliveries.all()) {
      port.interrupt(message, drainTimeout);
    }
  }
}
