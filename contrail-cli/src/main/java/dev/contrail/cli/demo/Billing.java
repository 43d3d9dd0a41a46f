package dev.contrail.cli.demo;

import dev.contrail.Delivery;
import dev.contrail.Handler;
import dev.contrail.RejectedMessageException;
import dev.contrail.RetryAfterException;
import java.time.Duration;

/** The service under demonstration: what a Java developer writes, and no more. */
final class Billing implements Handler<Order> {
  private static final Duration BUSY = Duration.ofSeconds(1);
  private static final int BUSY_TIMES = 2;

  @Override
  public void handle(Delivery<Order> delivery) {
    Order order = delivery.payload();
    if (order.cents() <= 0) {
      throw new RejectedMessageException("nothing to charge for order " + order.id());
    }
    if (order.fate() == Order.Fate.BANK_BUSY && delivery.deliveryCount() <= BUSY_TIMES) {
      throw new RetryAfterException(BUSY, "the bank is busy");
    }
    if (order.fate() == Order.Fate.POISON) {
      throw new IllegalStateException("no account for customer " + order.customer());
    }
  }
}
