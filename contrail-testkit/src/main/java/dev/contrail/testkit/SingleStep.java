package dev.contrail.testkit;

import dev.contrail.Durations;
import dev.contrail.jetstream.StepResult;
import dev.contrail.jetstream.SteppedConsumer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A consumer that does one step at a time: the server delivers a message, the handler runs on the
 * test's thread, and the message is acknowledged, returned or dead-lettered as production would do
 * it. Time is the test's: a retry comes when {@link #advance} has moved the clock there. Not
 * thread-safe.
 *
 * <pre>{@code
 * billing.next().isRetriedAfter(Duration.ofSeconds(30));
 * billing.advance(Duration.ofSeconds(30));
 * billing.next().isAcked();
 * billing.hasNothingToDo();
 * }</pre>
 */
public final class SingleStep implements AutoCloseable {
  private final String name;
  private final SteppedConsumer consumer;

  SingleStep(String name, SteppedConsumer consumer) {
    this.name = name;
    this.consumer = consumer;
  }

  /**
   * Takes the next message, and tells what became of it.
   *
   * @throws AssertionError when there is none at this time
   */
  public StepAssert next() {
    return new StepAssert(
        name,
        consumer
            .next()
            .orElseThrow(
                () ->
                    new AssertionError(
                        "expected "
                            + name
                            + " to be given a message, but there is none"
                            + later())));
  }

  /**
   * There is no message at this time.
   *
   * @throws AssertionError when there is one; it has been processed then
   */
  public SingleStep hasNothingToDo() {
    Optional<StepResult> result = consumer.next();
    if (result.isPresent()) {
      throw new AssertionError(
          "expected that there is nothing to do for " + name + ", but " + Words.of(result.get()));
    }
    return this;
  }

  /** Moves the clock of this consumer ahead. */
  public SingleStep advance(Duration by) {
    consumer.advance(by);
    return this;
  }

  /**
   * Moves the clock ahead to when the next message that failed comes again.
   *
   * @throws AssertionError when none waits
   */
  public SingleStep advanceToRetry() {
    if (consumer.advanceToRetry().isEmpty()) {
      throw new AssertionError("expected a message of " + name + " to wait for its retry");
    }
    return this;
  }

  /** What the clock of this consumer says. */
  public Instant now() {
    return consumer.now();
  }

  /**
   * The worker takes the next message and is killed when the handler has returned, before that is
   * recorded. The message comes again, and the next step is done by another worker.
   */
  public SingleStep crashesBeforeRecord() {
    consumer.crash(SteppedConsumer.Crash.BEFORE_RECORD);
    return this;
  }

  /**
   * The worker takes the next message and is killed when all is recorded or stored, before the
   * server is told. The message comes again, and the next step is done by another worker.
   */
  public SingleStep crashesBeforeAck() {
    consumer.crash(SteppedConsumer.Crash.BEFORE_ACK);
    return this;
  }

  /** Ends it; done at the end of the test at the latest. */
  @Override
  public void close() {
    consumer.close();
  }

  private String later() {
    return consumer
        .untilRetry()
        .map(left -> " before one that failed comes again, in " + Durations.format(left))
        .orElse("");
  }
}
