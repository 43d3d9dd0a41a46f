package dev.contrail.bench;

import dev.contrail.bench.report.Workload;
import io.nats.client.Connection;
import io.nats.client.ConsumeOptions;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.MessageConsumer;
import io.nats.client.MessageHandler;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** The client as it is: {@code consume}, and what people do with each message. */
final class BareRacer implements Racer {
  /** What is done with a message. */
  interface Step {
    void take(Message message, Work work) throws Exception;
  }

  private final Options connection;
  private final JetStreamOptions jetStream;
  private final Step step;
  private final Consumer<Place> forget;

  /**
   * @param connection address, credentials and all else as Contrail's connection has it
   * @param forget deletes what the step left behind of a consumer
   */
  BareRacer(Options connection, JetStreamOptions jetStream, Step step, Consumer<Place> forget) {
    // Nothing of Contrail's between the client and its socket.
    this.connection =
        new Options.Builder(connection).dataPortType(Options.DEFAULT_DATA_PORT_TYPE).build();
    this.jetStream = jetStream;
    this.step = step;
    this.forget = forget;
  }

  @Override
  public Connection connect() throws IOException, InterruptedException {
    return Nats.connect(connection);
  }

  @Override
  public Running start(Connection on, Place place, Work work)
      throws IOException, JetStreamApiException {
    if (!work.waits()) {
      return consume(on, place, message -> take(message, work))::stop;
    }
    // A handler that waits would leave the client's one thread idle, so people hand it to others.
    ExecutorService pool =
        Executors.newFixedThreadPool(Workload.CONCURRENCY, HandlerThreads.factory());
    MessageConsumer consumer =
        consume(on, place, message -> pool.execute(() -> take(message, work)));
    return () -> {
      consumer.stop();
      pool.shutdownNow();
    };
  }

  @Override
  public void forget(Place place) {
    forget.accept(place);
  }

  private MessageConsumer consume(Connection on, Place place, MessageHandler handler)
      throws IOException, JetStreamApiException {
    return on.getStreamContext(place.stream(), jetStream)
        .getConsumerContext(place.consumer())
        .consume(ConsumeOptions.builder().batchSize(BenchPlan.BATCH).build(), handler);
  }

  private void take(Message message, Work work) {
    try {
      step.take(message, work);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      work.failed(e);
    } catch (Exception e) {
      work.failed(e);
    }
  }
}
