package dev.contrail.operations.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.contrail.Handler;
import dev.contrail.RejectedMessageException;
import dev.contrail.jetstream.ConsumerBuilder;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.Names;
import dev.contrail.policy.Backoff;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinaries;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A stream to be audited, on a server that tests share. */
final class AuditPlace implements AutoCloseable {
  static final Duration SOON = Duration.ofSeconds(60);
  static final String CONSUMER = "billing";
  static final String POISON = "poison";
  static final JetStreamOptions OPTIONS = JetStreamOptions.defaultOptions();

  private static final Map<NatsServerBinary, NatsServer> SHARED = new ConcurrentHashMap<>();
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static final int AT_ONCE = 2_000;

  final String url;
  final Connection connection;
  final JetStreamManagement management;
  final String stream;
  final Names names;

  private AuditPlace(String url, String stream, Names names) throws Exception {
    this.url = url;
    this.stream = stream;
    this.names = names;
    this.connection = Contrail.connect(url);
    this.management = connection.jetStreamManagement();
  }

  /** The oldest and the newest server there is. */
  static List<NatsServerBinary> servers() {
    List<NatsServerBinary> all = NatsServerBinaries.available();
    return all.size() == 1 ? all : List.of(all.get(0), all.get(all.size() - 1));
  }

  static AuditPlace on(NatsServerBinary binary, RetentionPolicy retention) throws Exception {
    return on(binary, retention, builder -> builder);
  }

  static AuditPlace on(
      NatsServerBinary binary,
      RetentionPolicy retention,
      UnaryOperator<StreamConfiguration.Builder> more)
      throws Exception {
    NatsServer server =
        SHARED.computeIfAbsent(
            binary,
            chosen -> {
              NatsServer started = NatsServer.builder().binary(chosen).start();
              Runtime.getRuntime().addShutdownHook(new Thread(started::close));
              return started;
            });
    int number = NUMBERS.incrementAndGet();
    AuditPlace place = new AuditPlace(server.url(), "A" + number, new Names("a" + number));
    place.management.addStream(
        more.apply(
                StreamConfiguration.builder()
                    .name(place.stream)
                    .subjects(place.stream + ".>")
                    .retentionPolicy(retention))
            .build());
    return place;
  }

  /** The same place seen from another process. */
  static AuditPlace at(String url, String stream, String prefix) throws Exception {
    return new AuditPlace(url, stream, new Names(prefix));
  }

  ConsumerBuilder<byte[]> consumer(String name) {
    return Contrail.consumer(connection, stream, name)
        .prefix(names.prefix())
        .ackWait(Duration.ofSeconds(2))
        .backoff(new Backoff(Duration.ofMillis(20), 2, Duration.ofMillis(100)))
        .drainTimeout(Duration.ofSeconds(5));
  }

  /** A handler that rejects what is poison. */
  static Handler<byte[]> picky() {
    return delivery -> {
      if (new String(delivery.payload(), UTF_8).startsWith(POISON)) {
        throw new RejectedMessageException("nothing to charge");
      }
    };
  }

  void publish(int count) {
    publish("new", count, "order");
  }

  void publish(String subject, int count, String payload) {
    try {
      List<CompletableFuture<?>> published = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        published.add(
            connection
                .jetStream()
                .publishAsync(stream + "." + subject, (payload + " " + i).getBytes(UTF_8)));
        if (published.size() == AT_ONCE) {
          CompletableFuture.allOf(published.toArray(CompletableFuture<?>[]::new)).join();
          published.clear();
        }
      }
      CompletableFuture.allOf(published.toArray(CompletableFuture<?>[]::new)).join();
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Has Contrail's worker process or bury so many, and end. */
  void work(String name, int count) {
    try (ContrailConsumer worker = consumer(name).handler(picky()).start()) {
      await()
          .atMost(SOON)
          .until(() -> worker.status().counts().done() + worker.status().counts().dead() >= count);
    }
  }

  /** Has somebody who keeps no ledger take and acknowledge so many. */
  void takeForeign(String name, int count) throws Exception {
    JetStreamSubscription pull =
        connection.jetStream().subscribe(null, PullSubscribeOptions.bind(stream, name));
    int taken = 0;
    Instant end = Instant.now().plus(SOON);
    while (taken < count && Instant.now().isBefore(end)) {
      for (Message message : pull.fetch(Math.min(100, count - taken), Duration.ofSeconds(1))) {
        message.ackSync(Duration.ofSeconds(5));
        taken++;
      }
    }
    pull.unsubscribe();
    if (taken != count) {
      throw new AssertionError("took " + taken + " of " + count);
    }
  }

  AuditReport audit(String... consumers) throws InterruptedException {
    return new Audits(connection, OPTIONS, names)
        .audit(
            new AuditRequest(stream, List.of(consumers), Optional.empty()),
            Instant.now(),
            (done, of) -> {});
  }

  AuditReport.OfConsumer auditOf(String consumer) throws InterruptedException {
    return audit(consumer).consumers().stream()
        .filter(it -> it.consumer().equals(consumer))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
