package dev.contrail.testkit;

import dev.contrail.Handler;
import dev.contrail.engine.Outcome;

/** Runs handlers as the runtime does: whatever they throw is an outcome. */
final class Runs {
  private Runs() {}

  static <T> Outcome run(Handler<T> handler, TestDelivery<T> delivery) {
    try {
      handler.handle(delivery);
      return Outcome.Done.DONE;
    } catch (Throwable e) {
      return Outcome.failed(e);
    }
  }
}
