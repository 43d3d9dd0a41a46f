package dev.contrail.testkit;

import static dev.contrail.testkit.HandlerAssertions.assertThatHandler;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.contrail.Handler;
import dev.contrail.RejectedMessageException;
import dev.contrail.RetryAfterException;
import dev.contrail.RetryIntent;
import dev.contrail.policy.RetryPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class HandlerAssertionsTest {
  private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);
  private static final Handler<String> DONE = delivery -> {};
  private static final Handler<String> BUSY = throwing(new BusyException());
  private static final Handler<String> REJECTING =
      throwing(new RejectedMessageException("no such customer"));
  private static final Handler<String> BROKEN =
      throwing(new IllegalStateException("boom", new IOException("disk")));

  @Test
  void a_handler_that_does_as_expected_passes() {
    assertThatHandler(DONE).whenGiven("a").succeeds();
    assertThatHandler(BUSY).whenGiven("a").asksForRetryAfter(HALF_A_MINUTE);
    assertThatHandler(REJECTING).whenGiven("a").rejects();
    assertThatHandler(REJECTING).whenGiven("a").rejects("customer");
    assertThatHandler(BROKEN).whenGiven("a").fails();
    assertThatHandler(BROKEN).whenGiven("a").fails(IOException.class);
    assertThatHandler(throwing(new UndecidedException())).whenGiven("a").asksForRetry();
  }

  @Test
  void a_failure_that_was_to_succeed_is_told_with_what_would_follow() {
    failing(() -> assertThatHandler(BROKEN).whenGiven("a").succeeds())
        .isEqualTo(
            "expected the handler, when given a, to succeed, but it threw"
                + " java.lang.IllegalStateException: boom: there is no RetryIntent and no"
                + " RejectedMessageException among its causes (IllegalStateException ← IOException),"
                + " so the message would come again with growing delays, and be dead-lettered on"
                + " delivery 100");
    assertThatThrownBy(() -> assertThatHandler(BROKEN).whenGiven("a").succeeds())
        .hasRootCauseMessage("disk");
  }

  @Test
  void a_lost_delay_is_told_with_what_would_follow() {
    failing(() -> assertThatHandler(DONE).whenGiven("a").asksForRetryAfter(HALF_A_MINUTE))
        .isEqualTo(
            "expected the handler, when given a, to ask for a retry after 30s, but it returned: the"
                + " message would be acknowledged, and not come again");
    failing(() -> assertThatHandler(BROKEN).whenGiven("a").asksForRetryAfter(HALF_A_MINUTE))
        .contains(
            "to ask for a retry after 30s, but it threw java.lang.IllegalStateException: boom")
        .contains("dead-lettered on delivery 100");
    failing(() -> assertThatHandler(REJECTING).whenGiven("a").asksForRetryAfter(HALF_A_MINUTE))
        .endsWith("no such customer: the message would be dead-lettered now");
    failing(() -> assertThatHandler(BUSY).whenGiven("a").asksForRetryAfter(Duration.ofSeconds(31)))
        .endsWith("to ask for a retry after 31s, but it asks for 30s");
    failing(
            () ->
                assertThatHandler(throwing(new UndecidedException()))
                    .whenGiven("a")
                    .asksForRetryAfter(HALF_A_MINUTE))
        .contains("whose retryAfter() names no delay");
  }

  @Test
  void a_delay_that_the_consumer_would_shorten_is_not_what_was_asked_for() {
    Duration twoHours = Duration.ofHours(2);
    Handler<String> patient = throwing(new RetryAfterException(twoHours));
    failing(() -> assertThatHandler(patient).whenGiven("a").asksForRetryAfter(twoHours))
        .endsWith(
            "but the longest delay of this consumer is 1h, and the message would come again after"
                + " that");
    assertThatHandler(patient, RetryPolicy.DEFAULT.withLongestDelay(Duration.ofHours(3)))
        .whenGiven("a")
        .asksForRetryAfter(twoHours);
  }

  @Test
  void an_intent_that_is_only_suppressed_is_pointed_at() {
    IllegalStateException failure = new IllegalStateException("boom");
    failure.addSuppressed(new BusyException());
    failing(
            () ->
                assertThatHandler(throwing(failure))
                    .whenGiven("a")
                    .asksForRetryAfter(HALF_A_MINUTE))
        .endsWith("; there is one among the suppressed exceptions, which say nothing");
  }

  @Test
  void what_should_be_rejected_and_is_not_is_told_with_what_would_follow() {
    failing(() -> assertThatHandler(DONE).whenGiven("a").rejects())
        .contains("to reject the message, but it returned");
    failing(() -> assertThatHandler(BUSY).whenGiven("a").rejects())
        .endsWith("the message would come again after 30s, however often, for 1d");
    failing(() -> assertThatHandler(BROKEN).whenGiven("a").rejects())
        .contains("dead-lettered on delivery 100");
    failing(() -> assertThatHandler(REJECTING).whenGiven("a").rejects("no money"))
        .contains("with a reason that has “no money” in it")
        .contains("no such customer");
  }

  @Test
  void what_should_fail_and_does_otherwise_is_told() {
    failing(() -> assertThatHandler(DONE).whenGiven("a").fails())
        .contains("to fail, but it returned");
    failing(() -> assertThatHandler(BUSY).whenGiven("a").fails())
        .contains("to fail, but it threw")
        .contains("after 30s");
    failing(() -> assertThatHandler(BROKEN).whenGiven("a").fails(ArithmeticException.class))
        .contains("to fail with ArithmeticException, but it threw");
    failing(() -> assertThatHandler(BUSY).whenGiven("a").asksForRetry())
        .endsWith("without naming a delay, but it names 30s");
  }

  @Test
  void a_delay_survives_whatever_wraps_it_and_keeps_its_cause() {
    assertThatHandler(BUSY)
        .whenGiven("a")
        .asksForRetryAfter(HALF_A_MINUTE)
        .inAnyWrapping(BillingException::new);
    assertThatHandler(REJECTING).whenGiven("a").rejects("customer").inAnyWrapping();
    assertThatHandler(BROKEN).whenGiven("a").fails(IOException.class).inAnyWrapping();
  }

  @Test
  void a_wrapper_that_drops_its_cause_is_named() {
    failing(
            () ->
                assertThatHandler(BUSY)
                    .whenGiven("a")
                    .asksForRetryAfter(HALF_A_MINUTE)
                    .inAnyWrapping(
                        cause -> new ForgetfulException(String.valueOf(cause.getMessage()))))
        .startsWith(
            "expected the handler, when given a, to ask for a retry after 30s when wrapped in"
                + " ForgetfulException, but it threw")
        .contains("among its causes (ForgetfulException)");
  }

  @Test
  void a_wrapper_that_is_classified_itself_is_noticed() {
    failing(
            () ->
                assertThatHandler(BUSY)
                    .whenGiven("a")
                    .asksForRetryAfter(HALF_A_MINUTE)
                    .inAnyWrapping(cause -> new RejectedMessageException("gave up", cause)))
        .contains("when wrapped in RejectedMessageException")
        .endsWith("the message would be dead-lettered now");
  }

  @Test
  void a_handler_is_run_once_for_its_assertions() {
    AtomicInteger runs = new AtomicInteger();
    RunAssert<String> run =
        assertThatHandler(
                (Handler<String>)
                    delivery -> {
                      runs.incrementAndGet();
                      throw new BusyException();
                    })
            .whenGiven("a");
    run.asksForRetryAfter(HALF_A_MINUTE).inAnyWrapping();
    run.asksForRetryAfter(HALF_A_MINUTE);
    assertThat(runs).hasValue(1);
  }

  @Test
  void a_handler_that_looks_at_the_key_tolerates_a_redelivery() {
    List<String> charges = new ArrayList<>();
    Set<String> done = new HashSet<>();
    Handler<String> careful =
        delivery -> {
          if (done.add(delivery.idempotencyKey())) {
            charges.add(delivery.payload());
          }
        };
    assertThatHandler(careful).whenGiven("a").toleratesRedelivery(() -> charges);
    assertThat(charges).containsExactly("a");
  }

  @Test
  void an_effect_that_is_doubled_is_told_with_both_observations() {
    List<String> charges = new ArrayList<>();
    Handler<String> careless = delivery -> charges.add(delivery.payload());
    failing(() -> assertThatHandler(careless).whenGiven("a").toleratesRedelivery(() -> charges))
        .contains(
            "to tolerate a redelivery, but after the first run there was [a] and after the second"
                + " [a, a]: a worker that dies before it has recorded the first would have the work"
                + " done twice")
        .contains("idempotencyKey()");
  }

  @Test
  void counters_that_live_on_are_compared_as_they_were() {
    AtomicInteger count = new AtomicInteger();
    StringBuilder text = new StringBuilder();
    failing(
            () ->
                assertThatHandler((Handler<String>) delivery -> count.incrementAndGet())
                    .whenGiven("a")
                    .toleratesRedelivery(() -> count))
        .contains("there was 1 and after the second 2");
    failing(
            () ->
                assertThatHandler((Handler<String>) delivery -> text.append('x'))
                    .whenGiven("a")
                    .toleratesRedelivery(() -> text))
        .contains("there was x and after the second xx");
    List<List<String>> nested = List.of(new ArrayList<>());
    failing(
            () ->
                assertThatHandler((Handler<String>) delivery -> nested.get(0).add("x"))
                    .whenGiven("a")
                    .toleratesRedelivery(() -> nested))
        .contains("there was [[x]] and after the second [[x, x]]");
  }

  @Test
  void an_observation_that_does_not_see_the_effect_proves_nothing() {
    failing(() -> assertThatHandler(DONE).whenGiven("a").toleratesRedelivery(() -> 7))
        .contains("but its first run changed nothing of what was observed (7)");
    assertThatThrownBy(
            () -> assertThatHandler(DONE).whenGiven("a").toleratesRedelivery(Object::new))
        .hasMessageContaining("has neither equals nor toString");
  }

  @Test
  void a_run_that_fails_does_not_tolerate() {
    failing(() -> assertThatHandler(BROKEN).whenGiven("a").toleratesRedelivery(() -> 7))
        .contains("but the first run threw java.lang.IllegalStateException: boom");
    AtomicInteger count = new AtomicInteger();
    Handler<String> offended =
        delivery -> {
          if (count.incrementAndGet() > 1) {
            throw new IllegalStateException("charged already");
          }
        };
    failing(() -> assertThatHandler(offended).whenGiven("a").toleratesRedelivery(() -> count))
        .contains("but the second run threw java.lang.IllegalStateException: charged already: work")
        .endsWith("that is done would be tried again, and end as a dead letter");
  }

  @Test
  void both_deliveries_are_of_the_same_message() {
    List<String> seen = new ArrayList<>();
    Handler<String> noting =
        delivery -> {
          String line = delivery.idempotencyKey() + " " + delivery.sequence();
          if (!seen.contains(line)) {
            seen.add(line);
          }
          seen.add(0, "delivery " + delivery.deliveryCount());
          seen.sort(null);
          if (delivery.deliveryCount() == 2) {
            seen.remove("delivery 2");
          }
        };
    assertThatHandler(noting)
        .whenGiven(TestDelivery.of("a").withSequence(7).withHeader("Tenant", "b"))
        .toleratesRedelivery(() -> seen);
    assertThat(seen).containsExactly("TEST.test.7 7", "delivery 1");
  }

  private static Handler<String> throwing(Exception failure) {
    return delivery -> {
      throw failure;
    };
  }

  private static AbstractStringAssert<?> failing(ThrowingCallable assertion) {
    return assertThat(catchThrowableOfType(AssertionError.class, assertion).getMessage());
  }

  private static final class BusyException extends Exception implements RetryIntent {
    private static final long serialVersionUID = 1L;

    BusyException() {
      super("busy");
    }

    @Override
    public Optional<Duration> retryAfter() {
      return Optional.of(HALF_A_MINUTE);
    }
  }

  private static final class UndecidedException extends Exception implements RetryIntent {
    private static final long serialVersionUID = 1L;

    @Override
    public Optional<Duration> retryAfter() {
      return Optional.empty();
    }
  }

  private static final class BillingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BillingException(Throwable cause) {
      super("billing failed", cause);
    }
  }

  private static final class ForgetfulException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ForgetfulException(String message) {
      super(message);
    }
  }
}
