package dev.contrail.jetstream;

import dev.contrail.evidence.DeadLetter;
import java.time.Duration;

/** What became of one delivery that a {@link SteppedConsumer} was given. */
public sealed interface StepResult {
  /** The message's sequence in its stream. */
  long sequence();

  /** How often the server has delivered it, this time included. */
  long deliveryCount();

  /** The handler returned; that is recorded, and the message acknowledged. */
  record Acked(long sequence, long deliveryCount) implements StepResult {}

  /** Its completion was recorded before: acknowledged, and the handler not run. */
  record AckedUnrun(long sequence, long deliveryCount) implements StepResult {}

  /**
   * It failed and comes again.
   *
   * @param delay after which it comes again
   * @param shortened whether a longer delay was asked for than the consumer allows
   * @param cause what the handler or the codec threw
   */
  record Retried(
      long sequence, long deliveryCount, Duration delay, boolean shortened, Throwable cause)
      implements StepResult {}

  /**
   * It is dead: its evidence is stored, and it was terminated.
   *
   * @param cause what the handler or the codec threw
   * @param letter the evidence, as it was read back from the dead-letter stream
   */
  record DeadLettered(long sequence, long deliveryCount, Throwable cause, DeadLetter letter)
      implements StepResult {}

  /** Its dead letter was there before: terminated, and the handler not run. */
  record AlreadyDead(long sequence, long deliveryCount) implements StepResult {}

  /** Its lease was lost, or a step on it failed: nothing was said to the server, it comes again. */
  record LetGo(long sequence, long deliveryCount) implements StepResult {}
}
