package dev.contrail.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailPublisher;
import dev.contrail.jetstream.Published;
import io.nats.client.Connection;

/**
 * Publishes an order: {@code nats stream add ORDERS --subjects 'orders.>'} and {@code nats stream
 * add UNCLAIMED --subjects 'unclaimed.>'} first, then run this.
 */
final class OrdersMain {
  private OrdersMain() {}

  public static void main(String[] arguments) throws Exception {
    run(arguments.length == 0 ? "nats://127.0.0.1:4222" : arguments[0]);
  }

  static void run(String url) throws Exception {
    byte[] order = "{\"customer\":\"Ada\",\"cents\":1200}".getBytes(UTF_8);
    // README begins
    try (Connection nats = Contrail.connect(url);
        ContrailPublisher orders = Contrail.publisher(nats).fallback("unclaimed.orders").start()) {
      Published stored = orders.publish("orders.new", "order-17", order);
      System.out.println(
          stored.duplicate() ? "was there already" : "stored as " + stored.sequence());
    }
    // README ends
  }
}
