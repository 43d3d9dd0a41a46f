package dev.contrail.cli.command;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * On Ctrl-C, interrupts the thread that made this and lets it clean up before the process ends. To
 * be closed when it has.
 */
public final class EndInOrder implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread worker = Thread.currentThread();
  private volatile boolean asked;
  private final Thread hook = new Thread(this::end, "end-in-order");

  private EndInOrder() {}

  /** From now on. */
  public static EndInOrder onSignals() {
    EndInOrder end = new EndInOrder();
    Runtime.getRuntime().addShutdownHook(end.hook);
    return end;
  }

  /** Whether the end was asked for. */
  public boolean isAsked() {
    return asked;
  }

  private void end() {
    asked = true;
    worker.interrupt();
    try {
      ended.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException alreadyEnding) {
      // Then the hook has what it waits for.
    }
  }
}
