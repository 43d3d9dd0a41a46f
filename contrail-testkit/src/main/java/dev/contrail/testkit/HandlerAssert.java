package dev.contrail.testkit;

import dev.contrail.Handler;
import dev.contrail.policy.RetryPolicy;

/**
 * A handler, to be given something.
 *
 * @param <T> what it takes
 */
public final class HandlerAssert<T> {
  private final Handler<T> handler;
  private final RetryPolicy policy;

  HandlerAssert(Handler<T> handler, RetryPolicy policy) {
    this.handler = handler;
    this.policy = policy;
  }

  /** A payload on its first delivery. */
  public RunAssert<T> whenGiven(T payload) {
    return whenGiven(TestDelivery.of(payload));
  }

  /** A delivery. */
  public RunAssert<T> whenGiven(TestDelivery<T> delivery) {
    return new RunAssert<>(handler, policy, delivery);
  }
}
