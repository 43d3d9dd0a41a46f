package dev.contrail.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PolicyTest {
  private static final RetryPolicy RETRY = RetryPolicy.DEFAULT;
  private static final WorkerPolicy WORKER = WorkerPolicy.defaults(16);
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

  @Test
  void the_defaults_are_those_of_the_manual() {
    assertThat(RETRY)
        .isEqualTo(
            new RetryPolicy(
                100,
                new Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(5)),
                Duration.ofHours(24),
                Duration.ofHours(1),
                3,
                Duration.ofSeconds(5)));
    assertThat(BreakerPolicy.DEFAULT)
        .isEqualTo(new BreakerPolicy(Duration.ofSeconds(30), 3, Duration.ofSeconds(1)));
    assertThat(WORKER)
        .isEqualTo(
            new WorkerPolicy(
                RETRY,
                BreakerPolicy.DEFAULT,
                2_048,
                WorkerPolicy.NO_LIMIT,
                16,
                Duration.ofMinutes(10)));
  }

  @Test
  void the_default_window_leaves_room_for_every_handler() {
    assertThat(WorkerPolicy.defaults(5_000).window()).isEqualTo(5_000);
  }

  @Test
  void the_default_policy_comes_to_about_four_hours_of_retries() {
    assertThat(RETRY.expectedRetryTime()).isBetween(Duration.ofMinutes(210), Duration.ofHours(4));
  }

  @ParameterizedTest
  @CsvSource({
    "1, PT0S", // dies on its first delivery
    "2, PT0.5S", // after one wait of up to 1 s
    "3, PT1.5S",
    "4, PT3.5S",
    "10, PT4M15.5S",
    "11, PT6M45.5S" // the first wait of up to 5 min
  })
  void the_expected_retry_time_is_half_of_all_ceilings_before_the_last_delivery(
      long limit, Duration expected) {
    assertThat(RETRY.withDeliveryLimit(limit).expectedRetryTime()).isEqualTo(expected);
  }

  @Test
  @Timeout(10)
  void the_expected_retry_time_of_a_steady_backoff_is_found_too() {
    RetryPolicy steady =
        RETRY
            .withDeliveryLimit(1_000_000)
            .withBackoff(new Backoff(Duration.ofSeconds(2), 1, Duration.ofMinutes(5)));

    assertThat(steady.expectedRetryTime()).isEqualTo(Duration.ofSeconds(999_999));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3, 3", "4, 4", "5, 4", "100, 4"})
  void a_message_is_a_suspect_from_its_fourth_delivery_but_never_after_its_last_chance(
      long limit, long suspectFrom) {
    assertThat(RETRY.withDeliveryLimit(limit).suspectFrom()).isEqualTo(suspectFrom);
  }

  static Stream<Arguments> refusals() {
    return Stream.of(
        refusal(() -> RETRY.withDeliveryLimit(0), "delivery limit is 0, but must be at least 1"),
        refusal(
            () -> RETRY.withDeliveryLimit(1_000_001),
            "delivery limit is 1000001, but must be at most 1000000"),
        refusal(
            () -> RETRY.withRetryWindow(Duration.ofMillis(-1)),
            "retry window is -1ms, but must be at least 0s"),
        refusal(
            () -> RETRY.withRetryWindow(FOREVER),
            "retry window is 106751991167300d15h30m7s, but must be at most 36500d"),
        refusal(
            () -> RETRY.withLongestDelay(Duration.ofMillis(99)),
            "longest retry delay is 99ms, but must be at least 100ms"),
        refusal(
            () -> RETRY.withLongestDelay(Duration.ofDays(366)),
            "longest retry delay is 366d, but must be at most 365d"),
        refusal(
            () -> RETRY.withLongestDelay(Duration.ofMinutes(1)),
            "backoff longest is 5m, but must not exceed the longest retry delay, which is 1m"),
        refusal(
            () -> RETRY.withUndecodable(-1, Duration.ZERO),
            "undecodable attempts is -1, but must be at least 0"),
        refusal(
            () -> RETRY.withUndecodable(3, Duration.ofSeconds(-5)),
            "undecodable delay is -5s, but must be at least 0s"),
        refusal(
            () -> RETRY.withUndecodable(3, Duration.ofHours(2)),
            "undecodable delay is 2h, but must not exceed the longest retry delay, which is 1h"),
        refusal(
            () -> new BreakerPolicy(Duration.ZERO, 3, Duration.ofSeconds(1)),
            "breaker open-after is 0s, but must be at least 1ms"),
        refusal(
            () -> new BreakerPolicy(FOREVER, 3, Duration.ofSeconds(1)),
            "breaker open-after is 106751991167300d15h30m7s, but must be at most 365d"),
        refusal(
            () -> new BreakerPolicy(Duration.ofSeconds(30), 0, Duration.ofSeconds(1)),
            "breaker distinct failures is 0, but must be at least 1"),
        refusal(
            () -> new BreakerPolicy(Duration.ofSeconds(30), 3, Duration.ZERO),
            "breaker probe interval is 0s, but must be at least 1ms"),
        refusal(() -> WORKER.withWindow(0), "window is 0, but must be at least 1"),
        refusal(
            () -> WORKER.withWindow(1_000_001), "window is 1000001, but must be at most 1000000"),
        refusal(() -> WORKER.withWindowBytes(0), "window bytes is 0, but must be at least 1"),
        refusal(() -> WORKER.withConcurrency(0), "concurrency is 0, but must be at least 1"),
        refusal(
            () -> WORKER.withConcurrency(100_001),
            "concurrency is 100001, but must be at most 100000"),
        refusal(
            () -> WORKER.withHandlerTimeout(Duration.ZERO),
            "handler timeout is 0s, but must be at least 1ms"),
        refusal(
            () -> WORKER.withHandlerTimeout(FOREVER),
            "handler timeout is 106751991167300d15h30m7s, but must be at most 36500d"));
  }

  private static Arguments refusal(ThrowingCallable making, String sentence) {
    return Arguments.of(sentence, making);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusals")
  void what_is_out_of_range_is_refused_with_a_sentence(String sentence, ThrowingCallable making) {
    assertThatThrownBy(making).isInstanceOf(IllegalArgumentException.class).hasMessage(sentence);
  }

  @Test
  void each_change_of_a_policy_changes_one_thing() {
    Backoff backoff = new Backoff(Duration.ofMillis(5), 3, Duration.ofSeconds(7));

    assertThat(
            RETRY
                .withDeliveryLimit(7)
                .withBackoff(backoff)
                .withRetryWindow(Duration.ofDays(1))
                .withLongestDelay(Duration.ofHours(2))
                .withUndecodable(1, Duration.ofSeconds(2)))
        .isEqualTo(
            new RetryPolicy(
                7, backoff, Duration.ofDays(1), Duration.ofHours(2), 1, Duration.ofSeconds(2)));
    BreakerPolicy breaker = new BreakerPolicy(Duration.ofSeconds(1), 2, Duration.ofSeconds(3));
    RetryPolicy retry = RETRY.withDeliveryLimit(3);
    assertThat(
            WORKER
                .withRetry(retry)
                .withBreaker(breaker)
                .withWindow(10)
                .withWindowBytes(1_000_000)
                .withConcurrency(4)
                .withHandlerTimeout(Duration.ofSeconds(9)))
        .isEqualTo(new WorkerPolicy(retry, breaker, 10, 1_000_000, 4, Duration.ofSeconds(9)));
  }
}
