package dev.contrail;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** A failure that will pass: deliver the message again after the given delay. */
public class RetryAfterException extends RuntimeException implements RetryIntent {
  private static final long serialVersionUID = 1L;

  private final Duration delay;

  public RetryAfterException(Duration delay) {
    super("retry after " + delay);
    this.delay = Objects.requireNonNull(delay, "delay");
  }

  public RetryAfterException(Duration delay, String message) {
    super(message);
    this.delay = Objects.requireNonNull(delay, "delay");
  }

  public RetryAfterException(Duration delay, Throwable cause) {
    super(cause.toString(), cause);
    this.delay = Objects.requireNonNull(delay, "delay");
  }

  public RetryAfterException(Duration delay, String message, Throwable cause) {
    super(message, cause);
    this.delay = Objects.requireNonNull(delay, "delay");
  }

  @Override
  public Optional<Duration> retryAfter() {
    return Optional.of(delay);
  }
}
