package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.Durations;
import dev.contrail.failure.Classification;
import dev.contrail.policy.Backoff;
import dev.contrail.policy.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The whole table: outcome × delivery × circumstances → action. The limit is 5, the backoff doubles
 * from 1 s to 5 min and the jitter is a half, so that delivery <i>n</i> waits 2^(n-1) / 2 seconds.
 */
class DecisionTest {
  private static final RetryPolicy POLICY = RetryPolicy.DEFAULT.withDeliveryLimit(5);
  private static final long NOW = 1_700_000_000_000L;
  private static final Duration WINDOW = POLICY.retryWindow();

  @ParameterizedTest(name = "{0}, delivery {1}, failing for {2} → {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      # outcome             | delivery | failing for | action
      done                  | 1        | 0s          | complete
      done                  | 2        | 0s          | complete
      done                  | 4        | 0s          | complete
      done                  | 5        | 0s          | complete
      done                  | 6        | 0s          | complete
      done                  | 6        | 25h         | complete
      undecodable           | 1        | 0s          | retry in 5s
      undecodable           | 2        | 0s          | retry in 5s
      undecodable           | 3        | 0s          | retry in 5s
      undecodable           | 4        | 0s          | bury: undecodable
      undecodable           | 5        | 0s          | bury: undecodable
      undecodable           | 6        | 0s          | bury: undecodable
      undecodable           | 1        | 25h         | retry in 5s
      rejected              | 1        | 0s          | bury: rejected
      rejected              | 2        | 0s          | bury: rejected
      rejected              | 4        | 0s          | bury: rejected
      rejected              | 5        | 0s          | bury: rejected
      rejected              | 6        | 0s          | bury: rejected
      rejected              | 1        | 25h         | bury: rejected
      unclassified          | 1        | 0s          | retry in 500ms
      unclassified          | 2        | 0s          | retry in 1s
      unclassified          | 4        | 0s          | retry in 4s
      unclassified          | 5        | 0s          | bury: delivery-limit
      unclassified          | 6        | 0s          | bury: delivery-limit
      unclassified          | 4        | 25h         | retry in 4s
      unclassified          | 5        | 25h         | bury: delivery-limit
      transient             | 1        | 0s          | retry in 500ms
      transient             | 2        | 0s          | retry in 1s
      transient             | 4        | 0s          | retry in 4s
      transient             | 5        | 0s          | retry in 8s
      transient             | 6        | 23h59m59s   | retry in 16s
      transient             | 10000    | 0s          | retry in 2m30s
      transient             | 4        | 25h         | retry in 4s
      transient             | 5        | 24h         | bury: delivery-limit
      transient             | 6        | 25h         | bury: delivery-limit
      transient for 2s      | 1        | 0s          | retry in 2s
      transient for 2s      | 2        | 0s          | retry in 2s
      transient for 2s      | 4        | 25h         | retry in 2s
      transient for 2s      | 5        | 0s          | retry in 2s
      transient for 2s      | 5        | 24h         | bury: delivery-limit
      transient for 2s      | 6        | 23h         | retry in 2s
      transient for 2s      | 6        | 24h         | bury: delivery-limit
      transient for 1ms     | 2        | 0s          | retry in 1ms
      transient for 1h      | 1        | 0s          | retry in 1h
      transient for 1h1ms   | 1        | 0s          | retry in 1h, shortened
      transient for 100000d | 1        | 0s          | retry in 1h, shortened
      transient for 2h      | 6        | 0s          | retry in 1h, shortened
      transient for 2h      | 6        | 25h         | bury: delivery-limit
      transient for 0s      | 1        | 0s          | retry in 0s
      transient for 0s      | 2        | 0s          | retry in 100ms
      transient for 0s      | 5        | 0s          | retry in 100ms
      transient for 0s      | 5        | 25h         | bury: delivery-limit
      transient for -5s     | 1        | 0s          | retry in 0s
      transient for -5s     | 2        | 0s          | retry in 100ms
      transient for -5s     | 6        | 0s          | retry in 100ms
      """)
  void the_action_follows_from_outcome_delivery_and_time(
      String outcome, long delivery, String failingFor, String action) {
    long failingSince = NOW - Durations.parse("failing for", failingFor).toMillis();

    assertThat(decide(outcome, delivery, failingSince, Attempt.NEVER, POLICY)).isEqualTo(action);
  }

  @ParameterizedTest(name = "{0}, delivery {1}, expires in {2} → {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      # outcome             | delivery | expires in | action
      done                  | 1        | 1ms        | complete
      undecodable           | 1        | 5s1ms      | retry in 5s
      undecodable           | 1        | 5s         | bury: expiring
      undecodable           | 4        | 1s         | bury: undecodable
      rejected              | 1        | 1s         | bury: rejected
      unclassified          | 2        | 1s1ms      | retry in 1s
      unclassified          | 2        | 1s         | bury: expiring
      unclassified          | 5        | 1s         | bury: delivery-limit
      transient             | 2        | 1s1ms      | retry in 1s
      transient             | 2        | 999ms      | bury: expiring
      transient for 1m      | 1        | 61s        | retry in 1m
      transient for 1m      | 1        | 60s        | bury: expiring
      transient for 2h      | 1        | 90m        | retry in 1h, shortened
      transient for 2h      | 1        | 1h         | bury: expiring
      transient for 0s      | 1        | 1ms        | retry in 0s
      transient for 0s      | 1        | 0s         | bury: expiring
      transient for 0s      | 2        | 100ms      | bury: expiring
      """)
  void a_message_that_would_expire_before_its_retry_dies_now(
      String outcome, long delivery, String expiresIn, String action) {
    long expiresAt = NOW + Durations.parse("expires in", expiresIn).toMillis();

    assertThat(decide(outcome, delivery, NOW, expiresAt, POLICY)).isEqualTo(action);
  }

  @ParameterizedTest(name = "{0} attempts, limit {1}, delivery {2} → {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      # attempts | limit | delivery | action
      0          | 5     | 1        | bury: undecodable
      1          | 5     | 1        | retry in 7s
      1          | 5     | 2        | bury: undecodable
      9          | 5     | 4        | retry in 7s
      9          | 5     | 5        | bury: undecodable
      9          | 5     | 6        | bury: undecodable
      3          | 1     | 1        | bury: undecodable
      """)
  void an_undecodable_payload_has_its_own_attempts_within_the_limit(
      long attempts, long limit, long delivery, String action) {
    RetryPolicy policy =
        POLICY.withDeliveryLimit(limit).withUndecodable(attempts, Duration.ofSeconds(7));

    assertThat(decide("undecodable", delivery, NOW, Attempt.NEVER, policy)).isEqualTo(action);
  }

  @ParameterizedTest(name = "{0}, delivery {1} → {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      # outcome             | delivery | action
      done                  | 6        | complete
      undecodable           | 3        | retry in 5s
      undecodable           | 4        | bury: undecodable
      rejected              | 1        | bury: rejected
      unclassified          | 4        | retry in 4s
      unclassified          | 5        | retry in 8s
      unclassified          | 6        | retry in 16s
      transient             | 6        | retry in 16s
      transient for 2s      | 6        | retry in 2s
      """)
  void while_nothing_succeeds_the_limit_kills_nobody_within_the_retry_window(
      String outcome, long delivery, String action) {
    Attempt recent = new Attempt(delivery, NOW, NOW, Attempt.NEVER, true);

    assertThat(words(Decision.decide(outcome(outcome), recent, POLICY, 0.5))).isEqualTo(action);
  }

  @ParameterizedTest(name = "{0}, delivery {1} → {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      # outcome             | delivery | action
      unclassified          | 4        | retry in 4s
      unclassified          | 5        | bury: delivery-limit
      transient for 2s      | 4        | retry in 2s
      transient for 2s      | 6        | bury: delivery-limit
      """)
  void while_nothing_succeeds_the_end_of_the_retry_window_kills_at_the_limit(
      String outcome, long delivery, String action) {
    Attempt longOver = new Attempt(delivery, 0, NOW, Attempt.NEVER, true);

    assertThat(words(Decision.decide(outcome(outcome), longOver, POLICY, 0.5))).isEqualTo(action);
  }

  @Test
  void while_nothing_succeeds_a_message_that_expires_still_leaves_its_evidence() {
    Attempt expiring = new Attempt(6, NOW, NOW, NOW + 2_000, true);

    assertThat(words(Decision.decide(outcome("transient for 2s"), expiring, POLICY, 0.5)))
        .isEqualTo("bury: expiring");
  }

  @Test
  void a_window_of_nothing_leaves_a_transient_failure_the_limit_alone() {
    RetryPolicy policy = POLICY.withRetryWindow(Duration.ZERO);

    assertThat(decide("transient for 2s", 4, NOW, Attempt.NEVER, policy)).isEqualTo("retry in 2s");
    assertThat(decide("transient for 2s", 5, NOW, Attempt.NEVER, policy))
        .isEqualTo("bury: delivery-limit");
  }

  @Test
  void a_clock_set_back_does_not_end_the_window() {
    long failingSince = NOW + WINDOW.toMillis();

    assertThat(decide("transient for 2s", 9, failingSince, Attempt.NEVER, POLICY))
        .isEqualTo("retry in 2s");
  }

  @Test
  void the_backoff_of_the_policy_is_used() {
    RetryPolicy policy =
        POLICY.withBackoff(new Backoff(Duration.ofSeconds(4), 10, Duration.ofMinutes(2)));

    assertThat(decide("unclassified", 1, NOW, Attempt.NEVER, policy)).isEqualTo("retry in 2s");
    assertThat(decide("unclassified", 2, NOW, Attempt.NEVER, policy)).isEqualTo("retry in 20s");
    assertThat(decide("unclassified", 3, NOW, Attempt.NEVER, policy)).isEqualTo("retry in 1m");
  }

  private static String decide(
      String outcome, long delivery, long failingSince, long expiresAt, RetryPolicy policy) {
    Attempt attempt = new Attempt(delivery, failingSince, NOW, expiresAt, false);
    return words(Decision.decide(outcome(outcome), attempt, policy, 0.5));
  }

  private static Outcome outcome(String words) {
    Exception cause = new IllegalStateException(words);
    if (words.equals("done")) {
      return Outcome.Done.DONE;
    }
    return words.equals("undecodable")
        ? new Outcome.Undecodable(cause)
        : new Outcome.Failed(cause, classification(words));
  }

  private static Classification classification(String words) {
    if (words.equals("rejected")) {
      return new Classification.Rejected();
    }
    if (words.equals("unclassified")) {
      return new Classification.Unclassified();
    }
    if (words.equals("transient")) {
      return new Classification.Transient(Optional.empty());
    }
    String delay = words.substring("transient for ".length());
    return new Classification.Transient(
        Optional.of(
            delay.startsWith("-")
                ? Durations.parse("delay", delay.substring(1)).negated()
                : Durations.parse("delay", delay)));
  }

  private static String words(Action action) {
    if (action instanceof Action.Retry retry) {
      String shortened = retry.shortened() ? ", shortened" : "";
      return "retry in " + Durations.format(retry.delay()) + shortened;
    }
    return action instanceof Action.Bury bury ? "bury: " + bury.reason().text() : "complete";
  }
}
