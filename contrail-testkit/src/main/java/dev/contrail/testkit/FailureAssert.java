package dev.contrail.testkit;

import dev.contrail.engine.Outcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** What a handler threw was as expected. */
public final class FailureAssert {
  private static final Map<String, Function<Throwable, Throwable>> USUAL = usual();

  private final String subject;
  private final Expectation expectation;
  private final Outcome outcome;

  FailureAssert(String subject, Expectation expectation, Outcome outcome) {
    this.subject = subject;
    this.expectation = expectation;
    this.outcome = outcome;
  }

  /**
   * The same is so when others wrap it on its way, as executors, futures, proxies and reflection
   * do.
   *
   * @param own how the team's own code wraps exceptions, such as {@code BillingException::new}
   */
  @SafeVarargs
  public final FailureAssert inAnyWrapping(
      Function<? super Throwable, ? extends Throwable>... own) {
    USUAL.forEach((name, wrapping) -> check("in " + name, wrapping));
    for (Function<? super Throwable, ? extends Throwable> wrapping : own) {
      String name = wrapping.apply(thrown()).getClass().getSimpleName();
      check("in " + name, wrapping);
      check(
          "in " + name + " in ExecutionException",
          thrown -> new ExecutionException(wrapping.apply(thrown)));
    }
    return this;
  }

  /** What the handler threw. */
  public Throwable thrown() {
    if (outcome instanceof Outcome.Failed failed) {
      return failed.cause();
    }
    throw new AssertionError("the handler threw nothing");
  }

  private void check(
      String circumstance, Function<? super Throwable, ? extends Throwable> wrapping) {
    expectation.check(
        subject, " when wrapped " + circumstance, Outcome.failed(wrapping.apply(thrown())));
  }

  private static Map<String, Function<Throwable, Throwable>> usual() {
    Map<String, Function<Throwable, Throwable>> wrappings = new LinkedHashMap<>();
    wrappings.put("ExecutionException", ExecutionException::new);
    wrappings.put("CompletionException", CompletionException::new);
    wrappings.put("UndeclaredThrowableException", UndeclaredThrowableException::new);
    wrappings.put("InvocationTargetException", InvocationTargetException::new);
    wrappings.put("RuntimeException", RuntimeException::new);
    wrappings.put(
        "several of these",
        thrown ->
            new UndeclaredThrowableException(new RuntimeException(new ExecutionException(thrown))));
    return wrappings;
  }
}
