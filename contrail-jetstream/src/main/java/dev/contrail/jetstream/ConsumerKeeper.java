package dev.contrail.jetstream;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Watches over the consumer on the server: looks at it when the server says that something is wrong
 * with it, after a reconnect, and once a minute, for anyone may change or delete it. While it is
 * gone or unsafe nothing is pulled.
 */
final class ConsumerKeeper {
  private static final Duration PATROL = Duration.ofMinutes(1);
  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final Duration SOON = Duration.ofMillis(100);

  private final ConsumerSetup setup;
  private final Notices notices;
  private final Consumer<Signal> signals;
  private final ConsumerSetup.Ready first;
  private final ConsumerIdentity identity;
  private final ScheduledExecutorService thread;
  private final AtomicBoolean lookPending = new AtomicBoolean();
  private String told = "";

  ConsumerKeeper(
      ConsumerSetup setup,
      ConsumerSetup.Ready first,
      ConsumerIdentity identity,
      Notices notices,
      Consumer<Signal> signals,
      String name) {
    this.setup = setup;
    this.first = first;
    this.identity = identity;
    this.notices = notices;
    this.signals = signals;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            body -> {
              Thread keeper = new Thread(body, name);
              keeper.setDaemon(true);
              return keeper;
            });
  }

  void start() {
    ready(first);
    var unused =
        thread.scheduleWithFixedDelay(
            this::lookSoon, PATROL.toMillis(), PATROL.toMillis(), TimeUnit.MILLISECONDS);
  }

  void close() {
    thread.shutdownNow();
  }

  /** The server says that the consumer cannot be pulled from. */
  void trouble() {
    signals.accept((worker, now) -> worker.consumerGone());
    lookSoon();
  }

  void lookSoon() {
    lookIn(SOON);
  }

  private void lookIn(Duration delay) {
    if (lookPending.compareAndSet(false, true)) {
      try {
        var unused = thread.schedule(this::look, delay.toMillis(), TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        // Closed meanwhile: nobody wants to know any more.
        lookPending.set(false);
      }
    }
  }

  private void look() {
    lookPending.set(false);
    try {
      Optional<ConsumerSetup.Ready> seen = setup.look();
      if (seen.isPresent()) {
        back(seen.get());
      } else if (first.ours()) {
        gone("the consumer was deleted: making it again");
        back(setup.prepare());
      } else {
        gone("the consumer was deleted, and Contrail did not make it: waiting for it to come back");
        lookIn(AGAIN);
      }
    } catch (RuntimeException e) {
      gone(String.valueOf(e.getMessage()));
      lookIn(AGAIN);
    }
  }

  private void ready(ConsumerSetup.Ready ready) {
    signals.accept((worker, now) -> worker.consumerReady(ready.ackWait(), ready.maxAge()));
  }

  private void back(ConsumerSetup.Ready ready) {
    if (identity.moveTo(ready.incarnation())) {
      signals.accept((worker, now) -> worker.streamReplaced());
      notices.gone("the stream was deleted and made again: starting over with the new one");
    }
    if (!told.isEmpty()) {
      told = "";
      notices.back("the consumer is there: pulling");
    }
    ready(ready);
  }

  /** Told once for each reason, not each time it is seen again. */
  private void gone(String why) {
    signals.accept((worker, now) -> worker.consumerGone());
    if (!why.equals(told)) {
      told = why;
      notices.gone(why);
    }
  }
}
