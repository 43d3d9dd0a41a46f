package dev.contrail.engine;

import dev.contrail.evidence.Reason;
import dev.contrail.failure.Classification;
import dev.contrail.policy.RetryPolicy;
import java.time.Duration;
import java.util.Optional;

/** Outcome, circumstances and policy in; action out. Pure: the whole table is tested row by row. */
public final class Decision {
  private static final Action COMPLETE = new Action.Complete();

  private Decision() {}

  /**
   * What is to be done.
   *
   * @param jitter a random number from 0 (inclusive) to 1 (exclusive)
   */
  public static Action decide(Outcome outcome, Attempt attempt, RetryPolicy policy, double jitter) {
    if (outcome instanceof Outcome.Done) {
      return COMPLETE;
    }
    Action action =
        outcome instanceof Outcome.Failed failed
            ? afterFailure(failed.classification(), attempt, policy, jitter)
            : afterUndecodable(attempt, policy);
    return action instanceof Action.Retry retry && expiresBefore(retry, attempt)
        ? new Action.Bury(Reason.EXPIRING)
        : action;
  }

  private static Action afterUndecodable(Attempt attempt, RetryPolicy policy) {
    boolean again =
        attempt.deliveries() <= policy.undecodableAttempts()
            && attempt.deliveries() < policy.deliveryLimit();
    return again
        ? new Action.Retry(policy.undecodableDelay(), false)
        : new Action.Bury(Reason.UNDECODABLE);
  }

  private static Action afterFailure(
      Classification classification, Attempt attempt, RetryPolicy policy, double jitter) {
    if (classification instanceof Classification.Rejected) {
      return new Action.Bury(Reason.REJECTED);
    }
    Optional<Duration> asked =
        classification instanceof Classification.Transient declared
            ? declared.delay()
            : Optional.empty();
    // In an outage the failure says nothing about the message, as if it were declared transient.
    boolean byTime = classification instanceof Classification.Transient || attempt.outage();
    boolean over =
        attempt.deliveries() >= policy.deliveryLimit() && (!byTime || windowOver(attempt, policy));
    return over ? new Action.Bury(Reason.DELIVERY_LIMIT) : retry(asked, attempt, policy, jitter);
  }

  private static Action retry(
      Optional<Duration> asked, Attempt attempt, RetryPolicy policy, double jitter) {
    if (asked.isEmpty()) {
      return new Action.Retry(policy.backoff().delay(attempt.deliveries(), jitter), false);
    }
    Duration delay = asked.get();
    if (delay.compareTo(policy.longestDelay()) > 0) {
      return new Action.Retry(policy.longestDelay(), true);
    }
    if (delay.isZero() || delay.isNegative()) {
      boolean keepsAsking = attempt.deliveries() > 1;
      return new Action.Retry(keepsAsking ? RetryPolicy.HOT_LOOP_DELAY : Duration.ZERO, false);
    }
    return new Action.Retry(delay, false);
  }

  private static boolean windowOver(Attempt attempt, RetryPolicy policy) {
    return attempt.now() - attempt.failingSince() >= policy.retryWindow().toMillis();
  }

  private static boolean expiresBefore(Action.Retry retry, Attempt attempt) {
    return attempt.expiresAt() != Attempt.NEVER
        && attempt.now() + retry.delay().toMillis() >= attempt.expiresAt();
  }
}
