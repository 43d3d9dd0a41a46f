package dev.contrail.cli.work;

import dev.contrail.RetryIntent;
import java.time.Duration;
import java.util.Optional;

/** A handler in another language asks for the message to be delivered again. */
final class RetryRequestedException extends RuntimeException implements RetryIntent {
  private static final long serialVersionUID = 1L;

  private final transient Optional<Duration> delay;

  RetryRequestedException(String message, Optional<Duration> delay) {
    super(message, null, false, false);
    this.delay = delay;
  }

  @Override
  public Optional<Duration> retryAfter() {
    return delay;
  }
}
