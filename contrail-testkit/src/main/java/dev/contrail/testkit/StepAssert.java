package dev.contrail.testkit;

import dev.contrail.Durations;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.Reason;
import dev.contrail.failure.Failure;
import dev.contrail.jetstream.StepResult;
import java.time.Duration;
import java.util.Optional;

/** What became of a message, to be compared with what was expected of it. */
public final class StepAssert {
  private final String consumer;
  private final StepResult result;

  StepAssert(String consumer, StepResult result) {
    this.consumer = consumer;
    this.result = result;
  }

  /** The handler returned, that was recorded, and the message acknowledged. */
  public StepAssert isAcked() {
    return check(result instanceof StepResult.Acked, "to be run and acked");
  }

  /** It was completed before: acknowledged, and the handler not run. */
  public StepAssert isAckedUnrun() {
    return check(result instanceof StepResult.AckedUnrun, "to be acked without being run");
  }

  /** It comes again, whenever that may be. */
  public StepAssert isRetried() {
    return check(result instanceof StepResult.Retried, "to come again");
  }

  /** It comes again after exactly that delay. */
  public StepAssert isRetriedAfter(Duration delay) {
    return check(
        result instanceof StepResult.Retried retried && retried.delay().equals(delay),
        "to come again after " + Durations.format(delay));
  }

  /** It comes again after that delay at most: those of the backoff are random. */
  public StepAssert isRetriedWithin(Duration most) {
    return check(
        result instanceof StepResult.Retried retried && retried.delay().compareTo(most) <= 0,
        "to come again within " + Durations.format(most));
  }

  /** Its evidence is stored, and it was terminated. */
  public StepAssert isDeadLettered(Reason reason) {
    return check(
        result instanceof StepResult.DeadLettered dead && dead.letter().death().reason() == reason,
        "to be dead-lettered as " + reason.text());
  }

  /** It was dead-lettered before: terminated, and the handler not run. */
  public StepAssert isTerminatedUnrun() {
    return check(
        result instanceof StepResult.AlreadyDead,
        "to be terminated without being run, as one that is dead");
  }

  /** Such an exception is what was thrown, or among its causes. */
  public StepAssert becauseOf(Class<? extends Throwable> type) {
    return check(
        cause().stream().flatMap(Causes::of).anyMatch(type::isInstance),
        "to fail with " + type.getSimpleName());
  }

  /** What was thrown has that in its message. */
  public StepAssert saying(String part) {
    return check(
        cause().map(Failure::headline).filter(line -> line.contains(part)).isPresent(),
        "to fail with a message that has “" + part + "” in it");
  }

  /** It was delivered for the so-manieth time. */
  public StepAssert onDelivery(long count) {
    return check(result.deliveryCount() == count, "to be on its delivery " + count);
  }

  /** What became of it, for whatever else is to be checked. */
  public StepResult result() {
    return result;
  }

  /**
   * Its evidence.
   *
   * @throws AssertionError when it was not dead-lettered
   */
  public DeadLetter deadLetter() {
    check(result instanceof StepResult.DeadLettered, "to be dead-lettered");
    return ((StepResult.DeadLettered) result).letter();
  }

  private Optional<Throwable> cause() {
    if (result instanceof StepResult.Retried retried) {
      return Optional.of(retried.cause());
    }
    return result instanceof StepResult.DeadLettered dead
        ? Optional.of(dead.cause())
        : Optional.empty();
  }

  private StepAssert check(boolean met, String expected) {
    if (!met) {
      throw new AssertionError(
          "expected the message given to "
              + consumer
              + " "
              + expected
              + ", but "
              + Words.of(result));
    }
    return this;
  }

  @Override
  public String toString() {
    return Words.of(result);
  }
}
