package dev.contrail.examples;

import dev.contrail.Delivery;
import dev.contrail.Handler;
import dev.contrail.RejectedMessageException;
import dev.contrail.RetryAfterException;
import java.time.Duration;

/** Charges orders, as a class of its own that can be tested alone. */
final class BillingHandler implements Handler<Order> {
  private final Bank bank;

  BillingHandler(Bank bank) {
    this.bank = bank;
  }

  @Override
  public void handle(Delivery<Order> order) {
    if (order.payload().cents() <= 0) {
      throw new RejectedMessageException("nothing to charge");
    }
    try {
      bank.charge(order.payload(), order.idempotencyKey());
    } catch (BankBusyException e) {
      throw new RetryAfterException(Duration.ofSeconds(30), e);
    }
  }
}
