package dev.contrail.testkit;

import dev.contrail.Handler;
import dev.contrail.engine.Outcome;
import dev.contrail.policy.RetryPolicy;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A handler and what it is given. It is run once, when the first of these asks for it; {@link
 * #toleratesRedelivery} runs it twice more.
 *
 * @param <T> what it takes
 */
public final class RunAssert<T> {
  private final Handler<T> handler;
  private final TestDelivery<T> delivery;
  private final Expectations expectations;
  private @Nullable Outcome outcome;

  RunAssert(Handler<T> handler, RetryPolicy policy, TestDelivery<T> delivery) {
    this.handler = handler;
    this.delivery = delivery;
    this.expectations = new Expectations(policy);
  }

  /** It returns: the message is done. */
  public RunAssert<T> succeeds() {
    check(expectations.success());
    return this;
  }

  /** It throws what has the message delivered again after exactly that delay. */
  public FailureAssert asksForRetryAfter(Duration delay) {
    return check(expectations.retryAfter(delay));
  }

  /** It throws what has the message delivered again, and leaves the delay to the backoff. */
  public FailureAssert asksForRetry() {
    return check(expectations.retry());
  }

  /** It throws what has the message dead-lettered now. */
  public FailureAssert rejects() {
    return check(expectations.rejection(""));
  }

  /** It rejects the message, and says that. */
  public FailureAssert rejects(String part) {
    return check(expectations.rejection(part));
  }

  /** It throws something that says nothing of retries: tried again, and poison at the limit. */
  public FailureAssert fails() {
    return check(expectations.failure(Throwable.class));
  }

  /** The same, with such an exception thrown or among its causes. */
  public FailureAssert fails(Class<? extends Throwable> type) {
    return check(expectations.failure(type));
  }

  /**
   * A second delivery of the same message, with the same idempotency key, changes nothing any more
   * of what can be observed. That is what follows when a worker dies between the effect of the
   * handler and the record of it, and when a worker was frozen for long.
   *
   * @param effect what the handler has brought about, such as the number of charges or a list of
   *     them; asked before, after the first and after the second run
   */
  public RunAssert<T> toleratesRedelivery(Supplier<?> effect) {
    new Redelivery<>(handler, delivery, effect).check();
    return this;
  }

  private FailureAssert check(Expectation expectation) {
    String given = "the handler, when given " + delivery + ", ";
    Outcome ended = outcome();
    expectation.check(given, "", ended);
    return new FailureAssert(given, expectation, ended);
  }

  private Outcome outcome() {
    Outcome ended = outcome;
    if (ended == null) {
      ended = Runs.run(handler, delivery);
      outcome = ended;
    }
    return ended;
  }
}
