package dev.contrail.cli.drill.worker;

import dev.contrail.Delivery;
import dev.contrail.RejectedMessageException;
import dev.contrail.cli.command.Session;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.policy.Backoff;
import java.time.Duration;

/** A worker of Contrail that writes down every run and its end before it goes on. */
final class ContrailWork {
  static final int DELIVERY_LIMIT = 5;
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(20), 2, Duration.ofMillis(200));
  private static final String REPLAYED = "Contrail-Replay-Of";

  private final Session session;
  private final WorkerOrders orders;
  private final RunLog log;

  ContrailWork(Session session, WorkerOrders orders, RunLog log) {
    this.session = session;
    this.orders = orders;
    this.log = log;
  }

  void run(Runnable untilEnd) {
    try (ContrailConsumer consumer =
        Contrail.consumer(session.connection(), orders.stream(), orders.consumer())
            .jetStream(session.jetStream())
            .prefix(orders.prefix())
            .ackWait(orders.ackWait())
            .deliveryLimit(DELIVERY_LIMIT)
            .backoff(BACKOFF)
            .concurrency(orders.concurrency())
            .drainTimeout(Duration.ofSeconds(5))
            .appVersion(session.program())
            .onNotice(notice -> log.write(RunLine.What.NOTICE, notice.kind().name()))
            .handler(this::handle)
            .start()) {
      log.write(RunLine.What.UP, consumer.name());
      untilEnd.run();
    }
  }

  private void handle(Delivery<byte[]> delivery) throws InterruptedException {
    Task task = Task.of(delivery.headers().first(Task.NUMBER), delivery.headers().first(Task.KIND));
    long sequence = delivery.sequence();
    long count = delivery.deliveryCount();
    boolean replayed = delivery.headers().first(REPLAYED).isPresent();
    log.write(RunLine.What.START, task, sequence, count, replayed ? "replayed" : "");
    Thread.sleep(task.time(orders.work(), orders.ackWait()).toMillis());
    if (task.isRejected(replayed)) {
      log.write(RunLine.What.REJECTED, task, sequence, count, "");
      throw new RejectedMessageException("told to reject number " + task.number());
    }
    if (task.kind() == Task.Kind.FAIL) {
      log.write(RunLine.What.FAILED, task, sequence, count, "");
      throw new IllegalStateException("told to fail");
    }
    log.write(RunLine.What.DONE, task, sequence, count, replayed ? "replayed" : "");
  }
}
