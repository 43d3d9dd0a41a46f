package dev.contrail.policy;

import java.time.Duration;

/**
 * How one worker treats the messages it holds.
 *
 * @param retry when a failed message comes again, and when it dies
 * @param breaker when failures are taken for an outage
 * @param window how many messages the worker may hold unacknowledged; 2,048
 * @param windowBytes how many bytes those may have in all; one message is always taken, however
 *     large it is. Without a limit here: what the memory allows is for the runtime to say
 * @param concurrency how many handlers run at once
 * @param handlerTimeout after this a handler is interrupted and its delivery has failed; 10 min
 */
public record WorkerPolicy(
    RetryPolicy retry,
    BreakerPolicy breaker,
    int window,
    long windowBytes,
    int concurrency,
    Duration handlerTimeout) {
  public static final int DEFAULT_WINDOW = 2_048;
  public static final long NO_LIMIT = Long.MAX_VALUE;
  public static final Duration DEFAULT_HANDLER_TIMEOUT = Duration.ofMinutes(10);

  public WorkerPolicy {
    Check.atLeast("window", window, 1);
    Check.atMost("window", window, 1_000_000);
    Check.atLeast("window bytes", windowBytes, 1);
    Check.atLeast("concurrency", concurrency, 1);
    Check.atMost("concurrency", concurrency, 100_000);
    Check.between("handler timeout", handlerTimeout, Duration.ofMillis(1));
  }

  public static WorkerPolicy defaults(int concurrency) {
    return new WorkerPolicy(
        RetryPolicy.DEFAULT,
        BreakerPolicy.DEFAULT,
        Math.max(DEFAULT_WINDOW, concurrency),
        NO_LIMIT,
        concurrency,
        DEFAULT_HANDLER_TIMEOUT);
  }

  public WorkerPolicy withRetry(RetryPolicy newRetry) {
    return new WorkerPolicy(newRetry, breaker, window, windowBytes, concurrency, handlerTimeout);
  }

  public WorkerPolicy withBreaker(BreakerPolicy newBreaker) {
    return new WorkerPolicy(retry, newBreaker, window, windowBytes, concurrency, handlerTimeout);
  }

  public WorkerPolicy withWindow(int newWindow) {
    return new WorkerPolicy(retry, breaker, newWindow, windowBytes, concurrency, handlerTimeout);
  }

  public WorkerPolicy withWindowBytes(long bytes) {
    return new WorkerPolicy(retry, breaker, window, bytes, concurrency, handlerTimeout);
  }

  public WorkerPolicy withConcurrency(int newConcurrency) {
    return new WorkerPolicy(retry, breaker, window, windowBytes, newConcurrency, handlerTimeout);
  }

  public WorkerPolicy withHandlerTimeout(Duration timeout) {
    return new WorkerPolicy(retry, breaker, window, windowBytes, concurrency, timeout);
  }
}
