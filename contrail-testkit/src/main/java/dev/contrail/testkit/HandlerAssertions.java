package dev.contrail.testkit;

import dev.contrail.Handler;
import dev.contrail.policy.RetryPolicy;

/**
 * Checks what a handler promises its consumer, without a server: a line for each promise. What it
 * throws is classified by what runs in production.
 *
 * <pre>{@code
 * assertThatHandler(billing).whenGiven(order).asksForRetryAfter(Duration.ofSeconds(30));
 * assertThatHandler(billing).whenGiven(order).toleratesRedelivery(bank::charges);
 * }</pre>
 */
public final class HandlerAssertions {
  private HandlerAssertions() {}

  /** With the retry policy that consumers have by default. */
  public static <T> HandlerAssert<T> assertThatHandler(Handler<T> handler) {
    return assertThatHandler(handler, RetryPolicy.DEFAULT);
  }

  /** With the retry policy of its consumer. */
  public static <T> HandlerAssert<T> assertThatHandler(Handler<T> handler, RetryPolicy policy) {
    return new HandlerAssert<>(handler, policy);
  }
}
