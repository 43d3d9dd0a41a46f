package dev.contrail.engine;

import dev.contrail.evidence.Reason;
import dev.contrail.policy.RetryPolicy;
import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** What becomes of messages that have an outcome: decided here, and carried out. */
final class Verdicts<M> {
  private final RetryPolicy policy;
  private final RandomGenerator random;
  private final Port<M> port;
  private final Deliveries<M> deliveries;
  private final Stores<M> stores;
  private final Completions<M> completions;
  private Optional<Duration> maxAge = Optional.empty();

  Verdicts(
      RetryPolicy policy,
      RandomGenerator random,
      Port<M> port,
      Deliveries<M> deliveries,
      Stores<M> stores,
      Completions<M> completions) {
    this.policy = policy;
    this.random = random;
    this.port = port;
    this.deliveries = deliveries;
    this.stores = stores;
    this.completions = completions;
  }

  void maxAge(Optional<Duration> age) {
    maxAge = age;
  }

  /** Decides by its outcome; {@code outage} is whether that may be no fault of the message. */
  void decide(InFlight<M> message, boolean outage, Now now) {
    Outcome outcome = outcomeOf(message);
    Attempt attempt =
        new Attempt(
            message.deliveries(),
            deliveries.memory().failingSince(message, now),
            now.epochMillis(),
            // A success needs no time any more, and successes are most of it.
            outcome instanceof Outcome.Done ? Attempt.NEVER : expiresAt(message),
            outage);
    message.action = Decision.decide(outcome, attempt, policy, random.nextDouble());
  }

  /** Has it die now if its stream would delete it within that time; returns whether so. */
  boolean expires(InFlight<M> message, Duration within, Now now) {
    long expiresAt = expiresAt(message);
    if (expiresAt == Attempt.NEVER || now.epochMillis() + within.toMillis() < expiresAt) {
      return false;
    }
    message.action = new Action.Bury(Reason.EXPIRING);
    return true;
  }

  void carryOut(InFlight<M> message, Now now) {
    Action action = Objects.requireNonNull(message.action);
    if (action instanceof Action.Complete) {
      complete(message, now);
    } else if (action instanceof Action.Retry retry) {
      deliveries.retry(message, causeOf(outcomeOf(message)), retry, now);
    } else if (action instanceof Action.Bury bury) {
      message.condemn(bury.reason(), causeOf(outcomeOf(message)));
      bury(message);
    }
  }

  /** Killed before it is recorded, the handler runs again; acked before, nobody would know. */
  private void complete(InFlight<M> message, Now now) {
    if (completions.areKept(message)) {
      message.move(DeliveryEvent.COMPLETED);
      completions.record(message);
    } else {
      deliveries.ack(message, now);
    }
  }

  /** Has one that is condemned die, unless another worker has completed it meanwhile. */
  void bury(InFlight<M> message) {
    message.move(DeliveryEvent.DYING);
    if (!completions.lookUp(message)) {
      stores.bury(message);
    }
  }

  static Throwable causeOf(Outcome outcome) {
    if (outcome instanceof Outcome.Failed failed) {
      return failed.cause();
    }
    if (outcome instanceof Outcome.Undecodable undecodable) {
      return undecodable.cause();
    }
    throw new IllegalStateException("asked for the cause of a success");
  }

  private long expiresAt(InFlight<M> message) {
    return Stream.of(maxAge, port.timeToLive(message))
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder())
        .map(age -> message.publishedMillis() + age.toMillis())
        .orElse(Attempt.NEVER);
  }

  private static Outcome outcomeOf(InFlight<?> message) {
    return Objects.requireNonNull(message.outcome);
  }
}
