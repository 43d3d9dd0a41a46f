package dev.contrail;

import java.time.Duration;
import java.util.Optional;

/**
 * Carried by an exception whose failure is known to pass: the message is to be delivered again
 * after a while and is no poison, however often it comes back within the retry window.
 *
 * <p>Any exception class may implement it. It is found along the chain of {@linkplain
 * Throwable#getCause() causes}, at any depth and through any wrapping; suppressed exceptions are
 * not looked at. Where the chain holds both a {@code RetryIntent} and a {@link
 * RejectedMessageException}, the outermost wins.
 */
public interface RetryIntent {
  /**
   * How long to wait before the next delivery; empty leaves it to the consumer's backoff. Zero or
   * less means at once; a delay beyond the longest one allowed is shortened to that.
   */
  Optional<Duration> retryAfter();
}
