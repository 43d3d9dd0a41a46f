package dev.contrail.cli.drill.place;

import dev.contrail.cli.drill.worker.WorkerOrders;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A stream of a drill's own with a durable consumer, and Contrail's stores under a prefix that
 * nobody else has. Closing it deletes them.
 */
public final class Workplace implements AutoCloseable {
  private static final String CONSUMER = "worker";
  private static final int MAX_ACK_PENDING = 20_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Site site;
  private final Connection connection;
  private final JetStreamManagement management;
  private final Names names;
  private final String stream;
  private final Duration ackWait;
  private final Publications publications;

  private Workplace(
      Site site, Connection connection, Names names, Duration ackWait, SplittableRandom random)
      throws IOException {
    this.site = site;
    this.connection = connection;
    this.management = connection.jetStreamManagement(site.jetStream());
    this.names = names;
    this.stream = names.prefix().toUpperCase(Locale.ROOT) + "_WORK";
    this.ackWait = ackWait;
    this.publications = new Publications(connection, subject(), random);
  }

  /**
   * Makes one.
   *
   * @param name that nothing else on the server begins with
   */
  public static Workplace open(
      Site site,
      String name,
      RetentionPolicy retention,
      Duration ackWait,
      SplittableRandom random) {
    Connection connection = site.connect();
    Workplace place = null;
    try {
      place = new Workplace(site, connection, new Names(name), ackWait, random);
      place.make(retention);
      return place;
    } catch (IOException | JetStreamApiException | RuntimeException e) {
      if (place == null) {
        end(connection);
      } else {
        place.close();
      }
      throw e instanceof RuntimeException failure
          ? failure
          : new DrillException("the streams of the drill cannot be made: " + e.getMessage(), e);
    }
  }

  private void make(RetentionPolicy retention) throws IOException, JetStreamApiException {
    management.addStream(
        StreamConfiguration.builder()
            .name(stream)
            .subjects(subject())
            .retentionPolicy(retention)
            .build());
    addConsumer();
    new Provisioning(connection, site.jetStream(), InitPlan.of(names), Provision.CREATE)
        .ensure(
            List.of(Store.DEAD_LETTERS, Store.EVENTS, Store.LEDGER, Store.RETRIES, Store.LEASES));
  }

  private void addConsumer() throws IOException, JetStreamApiException {
    // Sampled, so that the server tells of every ack how often the message had been delivered.
    management.addOrUpdateConsumer(
        stream,
        ConsumerConfiguration.builder()
            .durable(CONSUMER)
            .ackPolicy(AckPolicy.Explicit)
            .ackWait(ackWait)
            .maxDeliver(-1)
            .maxAckPending(MAX_ACK_PENDING)
            .sampleFrequency("100%")
            .build());
  }

  /** Makes what a bare client needs to keep its own records, which it forgets after so long. */
  public void makeNaiveStores(Duration forget) {
    String prefix = names.prefix();
    try {
      management.addStream(
          StreamConfiguration.builder()
              .name(WorkerOrders.naiveDeadStream(prefix))
              .subjects(WorkerOrders.naiveDead(prefix) + ".>")
              .build());
      management.addStream(
          StreamConfiguration.builder()
              .name(WorkerOrders.naiveDoneStream(prefix))
              .subjects(WorkerOrders.naiveDone(prefix) + ".>")
              .maxAge(forget)
              .duplicateWindow(forget)
              .build());
    } catch (IOException | JetStreamApiException e) {
      throw new DrillException("the streams of the drill cannot be made: " + e.getMessage(), e);
    }
  }

  /** What is published here. */
  public Publications work() {
    return publications;
  }

  /** What the server has confirmed so far. */
  public List<Published> published() {
    return publications.all();
  }

  /** What a worker here is told. */
  public WorkerOrders orders(WorkerOrders.Role role, int concurrency, Duration work) {
    return new WorkerOrders(
        role,
        stream,
        CONSUMER,
        subject(),
        names.prefix(),
        "",
        ackWait,
        concurrency,
        work,
        Optional.empty(),
        1,
        Duration.ZERO);
  }

  /** Deletes the consumer and makes it again, as a server does that forgets its acks. */
  public void forgetAcks() {
    try {
      management.deleteConsumer(stream, CONSUMER);
      addConsumer();
    } catch (IOException | JetStreamApiException e) {
      throw new DrillException("the consumer cannot be made again: " + e.getMessage(), e);
    }
  }

  /** Whether the consumer has been given everything, and has answered for everything. */
  public boolean isSettled() {
    ConsumerInfo info = consumer();
    return info.getNumPending() == 0 && info.getNumAckPending() == 0;
  }

  /** How it stands with the consumer; asked again while the server is away. */
  public ConsumerInfo consumer() {
    return ask(() -> management.getConsumerInfo(stream, CONSUMER));
  }

  /** How the stream is configured that has that name. */
  public StreamConfiguration configuration(String name) {
    return ask(() -> management.getStreamInfo(name)).getConfiguration();
  }

  /** How many messages a stream holds. */
  public long messages(String name) {
    return ask(() -> management.getStreamInfo(name)).getStreamState().getMsgCount();
  }

  /** Has a store refuse whatever is to be stored, as one does that is full; or lets it again. */
  public void full(Store store, boolean full) {
    String name = store.stream(names);
    StreamConfiguration now = configuration(name);
    ask(
        () ->
            management.updateStream(
                StreamConfiguration.builder(now)
                    .discardPolicy(DiscardPolicy.New)
                    .maxBytes(full ? 1 : -1)
                    .build()));
  }

  private interface Question<T> {
    T ask() throws IOException, JetStreamApiException;
  }

  private static <T> T ask(Question<T> question) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return question.ask();
      } catch (IOException | JetStreamApiException | IllegalStateException e) {
        if (System.nanoTime() - end > 0) {
          throw new DrillException("the server does not tell how it stands: " + e.getMessage(), e);
        }
      }
    }
  }

  public Connection connection() {
    return connection;
  }

  public Site site() {
    return site;
  }

  public Names names() {
    return names;
  }

  public String stream() {
    return stream;
  }

  public String consumerName() {
    return CONSUMER;
  }

  public String subject() {
    return names.prefix() + ".work";
  }

  public Duration ackWait() {
    return ackWait;
  }

  @Override
  public void close() {
    try {
      Streams.deleteAll(connection, site.jetStream(), names.prefix());
    } finally {
      end(connection);
    }
  }

  private static void end(Connection connection) {
    boolean interrupted = Thread.interrupted();
    try {
      connection.close();
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
