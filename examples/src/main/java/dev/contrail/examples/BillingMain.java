package dev.contrail.examples;

import dev.contrail.JsonCodec;
import dev.contrail.RejectedMessageException;
import dev.contrail.RetryAfterException;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import io.nats.client.Connection;
import java.time.Duration;

/** Charges orders: {@code nats stream add ORDERS --subjects 'orders.>'} first, then run this. */
final class BillingMain {
  private BillingMain() {}

  public static void main(String[] arguments) throws Exception {
    run(
        arguments.length == 0 ? "nats://127.0.0.1:4222" : arguments[0],
        (order, key) -> System.out.println(order.customer() + " pays " + order.cents()));
  }

  static void run(String url, Bank bank) throws Exception {
    // README begins
    try (Connection nats = Contrail.connect(url);
        ContrailConsumer billing =
            Contrail.consumer(nats, "ORDERS", "billing")
                .codec(JsonCodec.of(Order.class))
                .handler(
                    order -> {
                      if (order.payload().cents() <= 0)
                        throw new RejectedMessageException("nothing to charge");
                      try {
                        bank.charge(order.payload(), order.idempotencyKey());
                      } catch (BankBusyException e) {
                        throw new RetryAfterException(Duration.ofSeconds(30), e);
                      }
                    })
                .start()) {
      billing.awaitClosed();
    }
    // README ends
  }
}
