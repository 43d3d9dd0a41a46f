package dev.contrail.redis;

import static org.awaitility.Awaitility.await;

import dev.contrail.jetstream.ConsumerBuilder;
import dev.contrail.jetstream.Contrail;
import dev.contrail.policy.Backoff;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A stream of orders, on a nats-server of its own. */
final class Orders implements AutoCloseable {
  static final Duration SOON = Duration.ofSeconds(60);

  private final NatsServer server = NatsServer.start();
  private final Connection connection = Contrail.connect(server.url());
  private final JetStreamManagement management;

  private final RetentionPolicy retention;

  Orders(RetentionPolicy retention) throws Exception {
    this.management = connection.jetStreamManagement();
    this.retention = retention;
    make();
  }

  static Orders workqueue() throws Exception {
    return new Orders(RetentionPolicy.WorkQueue);
  }

  /** A stream that keeps what is done. */
  static Orders kept() throws Exception {
    return new Orders(RetentionPolicy.Limits);
  }

  private void make() throws Exception {
    management.addStream(
        StreamConfiguration.builder()
            .name("ORDERS")
            .subjects("orders.>")
            .retentionPolicy(retention)
            .build());
  }

  void makeAgain() throws Exception {
    management.deleteStream("ORDERS");
    make();
  }

  /** So that all that the stream holds is delivered again. */
  void deleteConsumer() throws Exception {
    management.deleteConsumer("ORDERS", "billing");
  }

  ConsumerBuilder<byte[]> consumer() {
    return consumer("billing");
  }

  ConsumerBuilder<byte[]> consumer(String name) {
    return Contrail.consumer(connection, "ORDERS", name)
        .ackWait(Duration.ofSeconds(5))
        .backoff(new Backoff(Duration.ofMillis(20), 2, Duration.ofMillis(100)));
  }

  void publish(int count) throws Exception {
    List<CompletableFuture<?>> acks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      acks.add(
          connection
              .jetStream()
              .publishAsync("orders.new", "an order".getBytes(StandardCharsets.UTF_8)));
    }
    CompletableFuture.allOf(acks.toArray(new CompletableFuture<?>[0])).get();
  }

  long messages() throws Exception {
    return management.getStreamInfo("ORDERS").getStreamState().getMsgCount();
  }

  void awaitAllDone() {
    await().atMost(SOON).until(() -> messages() == 0);
  }

  ConsumerInfo consumerInfo() throws Exception {
    return consumerInfo("billing");
  }

  ConsumerInfo consumerInfo(String name) throws Exception {
    return management.getConsumerInfo("ORDERS", name);
  }

  /** As anyone may do with the tools of NATS. */
  void setAckWait(Duration ackWait) throws Exception {
    management.addOrUpdateConsumer(
        "ORDERS",
        ConsumerConfiguration.builder(consumerInfo().getConsumerConfiguration())
            .ackWait(ackWait)
            .build());
  }

  @Override
  public void close() throws Exception {
    connection.close();
    server.close();
  }
}
