package dev.contrail.testkit;

import dev.contrail.Durations;
import dev.contrail.RejectedMessageException;
import dev.contrail.RetryIntent;
import dev.contrail.engine.Action;
import dev.contrail.engine.Attempt;
import dev.contrail.engine.Decision;
import dev.contrail.engine.Outcome;
import dev.contrail.failure.Classification;
import dev.contrail.failure.Failure;
import dev.contrail.policy.RetryPolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What can be expected of a handler, and what follows where it is otherwise. */
final class Expectations {
  private static final double ANY_JITTER = 0.5;

  private final RetryPolicy policy;

  Expectations(RetryPolicy policy) {
    this.policy = policy;
  }

  Expectation success() {
    return new Expectation(
        "succeed",
        outcome ->
            outcome instanceof Outcome.Failed failed
                ? Optional.of(threw(failed) + ": " + consequence(failed))
                : Optional.empty());
  }

  Expectation retryAfter(Duration delay) {
    String wish = "ask for a retry after " + Durations.format(delay);
    return new Expectation(
        wish, failing(failed -> transientOnly(failed, asked -> ofDelay(failed, asked, delay))));
  }

  Expectation retry() {
    return new Expectation(
        "ask for a retry without naming a delay",
        failing(
            failed ->
                transientOnly(
                    failed, asked -> asked.map(named -> "it names " + Durations.format(named)))));
  }

  Expectation rejection(String part) {
    String wish =
        "reject the message"
            + (part.isEmpty() ? "" : " with a reason that has “" + part + "” in it");
    return new Expectation(
        wish,
        failing(
            failed -> {
              if (!(failed.classification() instanceof Classification.Rejected)) {
                return Optional.of(threw(failed) + ": " + consequence(failed));
              }
              boolean said =
                  Causes.of(failed.cause())
                      .filter(RejectedMessageException.class::isInstance)
                      .anyMatch(link -> String.valueOf(link.getMessage()).contains(part));
              return said ? Optional.empty() : Optional.of(threw(failed));
            }));
  }

  Expectation failure(Class<? extends Throwable> type) {
    String wish = "fail" + (type == Throwable.class ? "" : " with " + type.getSimpleName());
    return new Expectation(
        wish,
        failing(
            failed -> {
              boolean right =
                  failed.classification() instanceof Classification.Unclassified
                      && Causes.of(failed.cause()).anyMatch(type::isInstance);
              return right
                  ? Optional.empty()
                  : Optional.of(threw(failed) + ": " + consequence(failed));
            }));
  }

  private static Function<Outcome, Optional<String>> failing(
      Function<Outcome.Failed, Optional<String>> objection) {
    return outcome ->
        outcome instanceof Outcome.Failed failed
            ? objection.apply(failed)
            : Optional.of("it returned: the message would be acknowledged, and not come again");
  }

  private Optional<String> transientOnly(
      Outcome.Failed failed, Function<Optional<Duration>, Optional<String>> ofDelay) {
    return failed.classification() instanceof Classification.Transient asked
        ? ofDelay.apply(asked.delay())
        : Optional.of(threw(failed) + ": " + consequence(failed));
  }

  private Optional<String> ofDelay(
      Outcome.Failed failed, Optional<Duration> asked, Duration expected) {
    if (asked.isEmpty()) {
      return Optional.of(
          threw(failed)
              + ", whose retryAfter() names no delay: the message would come again after what the"
              + " backoff says");
    }
    if (!asked.get().equals(expected)) {
      return Optional.of("it asks for " + Durations.format(asked.get()));
    }
    return decided(failed) instanceof Action.Retry retry && retry.shortened()
        ? Optional.of(
            "the longest delay of this consumer is "
                + Durations.format(policy.longestDelay())
                + ", and the message would come again after that")
        : Optional.empty();
  }

  private Action decided(Outcome.Failed failed) {
    return Decision.decide(failed, new Attempt(1, 0, 0, Attempt.NEVER, false), policy, ANY_JITTER);
  }

  /** What the runtime would do about it. */
  private String consequence(Outcome.Failed failed) {
    if (failed.classification() instanceof Classification.Rejected) {
      return "the message would be dead-lettered now";
    }
    if (failed.classification() instanceof Classification.Transient) {
      return "the message would come again "
          + (decided(failed) instanceof Action.Retry retry
              ? "after " + Durations.format(retry.delay())
              : "at once")
          + ", however often, for "
          + Durations.format(policy.retryWindow());
    }
    return "there is no RetryIntent and no RejectedMessageException among its causes ("
        + chain(failed.cause())
        + "), so the message would come again with growing delays, and be dead-lettered on delivery "
        + policy.deliveryLimit()
        + suppressed(failed.cause());
  }

  private static String threw(Outcome.Failed failed) {
    return "it threw " + Failure.headline(failed.cause());
  }

  private static String chain(Throwable thrown) {
    return Causes.of(thrown)
        .map(link -> link.getClass().getSimpleName())
        .collect(Collectors.joining(" ← "));
  }

  private static String suppressed(Throwable thrown) {
    boolean among =
        Causes.of(thrown)
            .flatMap(link -> Arrays.stream(link.getSuppressed()))
            .flatMap(Causes::of)
            .anyMatch(
                link -> link instanceof RetryIntent || link instanceof RejectedMessageException);
    return among ? "; there is one among the suppressed exceptions, which say nothing" : "";
  }
}
