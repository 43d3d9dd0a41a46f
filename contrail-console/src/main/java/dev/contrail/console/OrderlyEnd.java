package dev.contrail.console;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Ends one thing after the other, all within a time: what takes longer is left behind, since a
 * process that was asked to end must.
 */
final class OrderlyEnd {
  private final long endNanos;
  private final Consumer<String> leftBehind;

  OrderlyEnd(Duration atMost, Consumer<String> leftBehind) {
    this.endNanos = System.nanoTime() + atMost.toNanos();
    this.leftBehind = leftBehind;
  }

  void step(String part, Runnable act) throws InterruptedException {
    Thread thread = new Thread(act, "contrail-end-" + part);
    thread.setDaemon(true);
    thread.start();
    // At least a moment: what is quick shall end even when another took all the time.
    thread.join(Math.max(100, TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime())));
    if (thread.isAlive()) {
      leftBehind.accept(part);
    }
  }
}
