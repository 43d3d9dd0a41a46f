package dev.contrail.jetstream;

import dev.contrail.Delivery;
import dev.contrail.RejectedMessageException;
import io.nats.client.Connection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * A worker in a process of its own, to be killed. Its messages say what it does: {@code ok}, {@code
 * reject …}, {@code halt}, {@code hang}. Every run leaves a line in the file of effects before it
 * does anything else. Ends in order when its standard input does.
 */
final class WorkerMain {
  private WorkerMain() {}

  public static void main(String[] arguments) throws Exception {
    WorkerOrders orders = WorkerOrders.parse(arguments);
    try (Connection connection = Contrail.connect(orders.url());
        ContrailConsumer consumer =
            Contrail.consumer(connection, orders.stream(), "worker")
                .prefix(orders.prefix())
                .ackWait(orders.ackWait())
                .deliveryLimit(orders.deliveryLimit())
                .concurrency(orders.concurrency())
                .window(orders.window())
                .drainTimeout(Duration.ofSeconds(5))
                .options(
                    options -> Faults.apply(orders.fault(), orders.prefix(), connection, options))
                .onNotice(notice -> System.out.println("notice " + notice.kind()))
                .handler(delivery -> work(delivery, orders))
                .start()) {
      System.out.println("started");
      while (System.in.read() >= 0) {
        // Waits for the end of the input.
      }
    }
    System.out.println("ended");
  }

  private static void work(Delivery<byte[]> delivery, WorkerOrders orders) throws Exception {
    Files.writeString(
        orders.effects(),
        delivery.sequence() + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    System.out.println("running " + delivery.sequence());
    Workplace.work(orders.workTime());
    String word = new String(delivery.data(), StandardCharsets.UTF_8);
    if (word.startsWith("reject") && !orders.succeed()) {
      throw new RejectedMessageException("told to");
    }
    if (word.equals("halt")) {
      Runtime.getRuntime().halt(137);
    }
  }
}
