package dev.contrail.jetstream;

import dev.contrail.Durations;
import java.time.Duration;

/** The handler did not end in time. The stack is where its thread was when it was interrupted. */
public final class HandlerTimeoutException extends Exception {
  private static final long serialVersionUID = 1L;

  HandlerTimeoutException(Duration timeout) {
    super("the handler did not end within " + Durations.format(timeout));
  }
}
