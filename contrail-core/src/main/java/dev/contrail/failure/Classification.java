package dev.contrail.failure;

import dev.contrail.RejectedMessageException;
import dev.contrail.RetryIntent;
import java.time.Duration;
import java.util.Optional;

/** How a handler's failure is to be taken. */
public sealed interface Classification {
  /**
   * Known to pass: to be tried again, after the delay where one is named.
   *
   * @param delay as the exception gave it; may be zero, negative or longer than allowed
   */
  record Transient(Optional<Duration> delay) implements Classification {}

  /** The message can never be processed. */
  record Rejected() implements Classification {}

  /** Nothing was said about the failure. */
  record Unclassified() implements Classification {}

  /**
   * The classification that the outermost {@link RetryIntent} or {@link RejectedMessageException}
   * along the chain of causes gives; an exception that is both counts as a {@code RetryIntent}.
   * Suppressed exceptions are not looked at. Never throws: an intent whose {@code retryAfter()}
   * throws or returns null is transient without a delay.
   */
  static Classification of(Throwable failure) {
    for (Throwable link : CauseChain.of(failure)) {
      if (link instanceof RetryIntent intent) {
        return new Transient(delayOf(intent));
      }
      if (link instanceof RejectedMessageException) {
        return new Rejected();
      }
    }
    return new Unclassified();
  }

  private static Optional<Duration> delayOf(RetryIntent intent) {
    try {
      Optional<Duration> delay = intent.retryAfter();
      return delay == null ? Optional.empty() : delay;
    } catch (Throwable hostile) {
      // The intent to retry stands, only the delay is unknown.
      return Optional.empty();
    }
  }
}
