package dev.contrail.testkit;

import dev.contrail.Handler;
import dev.contrail.engine.Outcome;
import dev.contrail.failure.Failure;
import java.util.function.Supplier;

/** Runs a handler on two deliveries of one message, and compares what can be observed. */
final class Redelivery<T> {
  private final Handler<T> handler;
  private final TestDelivery<T> delivery;
  private final Supplier<?> effect;

  Redelivery(Handler<T> handler, TestDelivery<T> delivery, Supplier<?> effect) {
    this.handler = handler;
    this.delivery = delivery;
    this.effect = effect;
  }

  void check() {
    Observation before = Observation.of(effect.get());
    run(delivery, "the first run", "a redelivery of work that was never done says nothing");
    Observation once = Observation.of(effect.get());
    if (once.equals(before)) {
      throw new AssertionError(
          expected()
              + "but its first run changed nothing of what was observed ("
              + once
              + "): whatever the second does would go unnoticed; observe what the handler brings"
              + " about");
    }
    run(
        delivery.redelivered(),
        "the second run",
        "work that is done would be tried again, and end as a dead letter");
    Observation twice = Observation.of(effect.get());
    if (!twice.equals(once)) {
      throw new AssertionError(
          expected()
              + "but after the first run there was "
              + once
              + " and after the second "
              + twice
              + ": a worker that dies before it has recorded the first would have the work done"
              + " twice; hand idempotencyKey() to whatever the handler calls, or look whether it is"
              + " done");
    }
  }

  private void run(TestDelivery<T> given, String which, String consequence) {
    if (Runs.run(handler, given) instanceof Outcome.Failed failed) {
      throw new AssertionError(
          expected()
              + "but "
              + which
              + " threw "
              + Failure.headline(failed.cause())
              + ": "
              + consequence,
          failed.cause());
    }
  }

  private String expected() {
    return "expected the handler, when given " + delivery + ", to tolerate a redelivery, ";
  }
}
