package dev.contrail.engine;

import dev.contrail.policy.BreakerPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * While the circuit breaker is open: which of the messages held is tried next, a different one each
 * time, and when those that were all tried are let go, so that a long run of poison cannot starve
 * what lies behind it.
 */
final class Probes<M> {
  /** What a message that is held must have left to live beyond its next turn. */
  private static final Duration EXPIRY_MARGIN = Duration.ofMinutes(1);

  private final BreakerPolicy policy;
  private final Breaker breaker;
  private final Port<M> port;
  private final RandomGenerator random;
  private final Deliveries<M> deliveries;
  private final Stores<M> stores;
  private final Verdicts<M> verdicts;
  private @Nullable InFlight<M> latest;

  Probes(
      BreakerPolicy policy,
      Breaker breaker,
      Port<M> port,
      RandomGenerator random,
      Deliveries<M> deliveries,
      Stores<M> stores,
      Verdicts<M> verdicts) {
    this.policy = policy;
    this.breaker = breaker;
    this.port = port;
    this.random = random;
    this.deliveries = deliveries;
    this.stores = stores;
    this.verdicts = verdicts;
  }

  /** The one to be tried now, if it is time; lets go of those tried where that is due instead. */
  Optional<InFlight<M>> next(boolean windowFull, Now now) {
    if (!breaker.probeDue(now) || isUnderWay()) {
      return Optional.empty();
    }
    breaker.probed(now);
    InFlight<M> candidate = pick();
    if (candidate == null) {
      if (windowFull || breaker.letGoDue(now)) {
        letGo(deliveries.in(DeliveryState.TRIED), now);
        return Optional.empty();
      }
      // Nothing lies behind that could not be pulled as well: go round, and no count rises.
      deliveries.in(DeliveryState.TRIED).forEach(message -> message.move(DeliveryEvent.RELEASED));
      candidate = pick();
    }
    latest = candidate;
    return Optional.ofNullable(candidate).filter(message -> deliveries.stillOurs(message, now));
  }

  /** After how long a message that is held now has been tried again. */
  Duration nextTurn() {
    return policy.probeEvery().multipliedBy(deliveries.size()).plus(EXPIRY_MARGIN);
  }

  /**
   * Whether the latest still has to come to its end; one that cannot be noted is not waited for.
   */
  private boolean isUnderWay() {
    if (latest == null) {
      return false;
    }
    boolean beingNoted = latest.is(DeliveryState.STARTING) || latest.is(DeliveryState.NOTING);
    return latest.isRun() || (beingNoted && stores.canNote());
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

  /** Returns them. The limit kills again once this lasts too long for an outage. */
  private void letGo(List<InFlight<M>> tried, Now now) {
    if (tried.isEmpty()) {
      return;
    }
    boolean outage = !breaker.letGoDue(now);
    if (!outage) {
      breaker.letGo(now);
    }
    port.report(new WorkerEvent.WindowLetGo<>(tried.size()));
    for (InFlight<M> message : tried) {
      verdicts.decide(message, outage, now);
      verdicts.carryOut(message, now);
    }
  }
}
