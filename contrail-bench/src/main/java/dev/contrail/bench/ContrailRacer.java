package dev.contrail.bench;

import dev.contrail.bench.report.Workload;
import dev.contrail.jetstream.ConsumerBuilder;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.Names;
import dev.contrail.redis.RedisLedgerException;
import io.nats.client.Connection;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Contrail with its defaults, but for the ledger. */
final class ContrailRacer implements Racer {
  private static final Duration DRAIN = Duration.ofSeconds(5);

  private final BenchServer server;
  private final Names names;
  private final UnaryOperator<ConsumerBuilder<byte[]>> ledger;
  private final Consumer<Place> forget;

  /**
   * @param ledger chooses one
   * @param forget deletes what that kept of a consumer
   */
  ContrailRacer(
      BenchServer server,
      Names names,
      UnaryOperator<ConsumerBuilder<byte[]>> ledger,
      Consumer<Place> forget) {
    this.server = server;
    this.names = names;
    this.ledger = ledger;
    this.forget = forget;
  }

  @Override
  public Connection connect() {
    return server.connections().get();
  }

  @Override
  public Running start(Connection connection, Place place, Work work) {
    ConsumerBuilder<byte[]> consumer =
        Contrail.consumer(connection, place.stream(), place.consumer())
            .jetStream(server.jetStream())
            .prefix(names.prefix())
            .allowFewerReplicas()
            .ackWait(BenchStreams.ACK_WAIT)
            .maxAckPending(BenchPlan.WINDOW)
            .drainTimeout(DRAIN)
            .handler(delivery -> work.handle(delivery.payload()));
    if (work.waits()) {
      consumer.concurrency(Workload.CONCURRENCY);
    }
    try {
      return ledger.apply(consumer.window(BenchPlan.WINDOW)).start()::close;
    } catch (RedisLedgerException e) {
      throw new BenchException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void forget(Place place) {
    forget.accept(place);
  }
}
