package com.example.shop;

import dev.contrail.RetryIntent;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** An application's own exception that merely carries the intent to retry. */
public final class BusyException extends Exception implements RetryIntent {
  private static final long serialVersionUID = 1L;

  private final transient Supplier<Optional<Duration>> delay;

  public BusyException(Supplier<Optional<Duration>> delay) {
    super("busy");
    this.delay = delay;
  }

  @Override
  public Optional<Duration> retryAfter() {
    return delay.get();
  }
}
