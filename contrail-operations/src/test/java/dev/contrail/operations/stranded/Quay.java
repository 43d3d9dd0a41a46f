package dev.contrail.operations.stranded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.StreamMessages;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinaries;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A stream where messages are left behind, on a server that tests share. */
public final class Quay implements AutoCloseable {
  public static final Duration SOON = Duration.ofSeconds(30);
  public static final JetStreamOptions OPTIONS = JetStreamOptions.defaultOptions();

  private static final Map<NatsServerBinary, NatsServer> SHARED = new ConcurrentHashMap<>();
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  public final String url;
  public final Connection connection;
  public final JetStreamManagement management;
  public final JetStreamServer server;
  public final StreamMessages messages;
  public final String stream;
  public final Names names;

  private Quay(String url, String stream, String prefix) throws IOException {
    this.url = url;
    this.connection = Contrail.connect(url);
    this.management = connection.jetStreamManagement();
    this.server = new JetStreamServer(connection, OPTIONS);
    this.messages = new StreamMessages(connection, OPTIONS);
    this.stream = stream;
    this.names = new Names(prefix);
  }

  /** The oldest and the newest server there is. */
  public static List<NatsServerBinary> servers() {
    List<NatsServerBinary> all = NatsServerBinaries.available();
    return all.size() == 1 ? all : List.of(all.get(0), all.get(all.size() - 1));
  }

  public static NatsServerBinary newest() {
    List<NatsServerBinary> all = NatsServerBinaries.available();
    return all.get(all.size() - 1);
  }

  /** A stream that takes all subjects below its name. */
  public static Quay on(NatsServerBinary binary, RetentionPolicy retention) throws Exception {
    return on(binary, retention, Duration.ofMinutes(2));
  }

  public static Quay on(
      NatsServerBinary binary, RetentionPolicy retention, Duration duplicateWindow)
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
    Quay quay = new Quay(server.url(), "Q" + number, "q" + number);
    quay.management.addStream(
        StreamConfiguration.builder()
            .name(quay.stream)
            .subjects(quay.stream + ".>")
            .retentionPolicy(retention)
            .duplicateWindow(duplicateWindow)
            .build());
    return quay;
  }

  /** The same quay seen from another process. */
  public static Quay at(String url, String stream, String prefix) throws IOException {
    return new Quay(url, stream, prefix);
  }

  public StrandedMessages stranded() {
    return new StrandedMessages(server, messages);
  }

  public List<Stranding> look() throws InterruptedException {
    return stranded().in(stream, server.listedStreams());
  }

  public String subject(String end) {
    return stream + "." + end;
  }

  public void durable(String name, int limit, String... filters) throws Exception {
    make(name, it -> it.maxDeliver(limit), filters);
  }

  public void make(String name, Consumer<ConsumerConfiguration.Builder> how, String... filters)
      throws IOException, JetStreamApiException {
    ConsumerConfiguration.Builder builder =
        ConsumerConfiguration.builder()
            .durable(name)
            .ackWait(Duration.ofMinutes(5))
            .filterSubjects(List.of(filters).stream().map(this::subject).toList());
    how.accept(builder);
    management.addOrUpdateConsumer(stream, builder.build());
  }

  /** Publishes so many messages to a subject below the stream's name. */
  public void publish(String end, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      connection.jetStream().publish(subject(end), ("message " + i).getBytes(UTF_8));
    }
  }

  /** Has a consumer give back all that it is given, until it is given nothing more. */
  public void giveUp(String consumer) throws Exception {
    work(consumer, Message::nak);
  }

  /** Has a consumer ack all that it is given, until it is given nothing more. */
  public void ackAll(String consumer) throws Exception {
    work(consumer, Message::ack);
  }

  public void work(String consumer, Consumer<Message> with) throws Exception {
    JetStreamSubscription pull =
        connection.jetStream().subscribe(null, PullSubscribeOptions.bind(stream, consumer));
    await()
        .atMost(SOON)
        .until(
            () -> {
              pull.fetch(100, Duration.ofMillis(200)).forEach(with);
              ConsumerInfo info = info(consumer);
              return info.getNumPending() == 0 && info.getNumAckPending() == 0;
            });
    pull.unsubscribe();
  }

  /** Takes so many messages and says nothing about them. */
  public List<Message> take(String consumer, int count) throws Exception {
    JetStreamSubscription pull =
        connection.jetStream().subscribe(null, PullSubscribeOptions.bind(stream, consumer));
    List<Message> taken = pull.fetch(count, SOON);
    pull.unsubscribe();
    return taken;
  }

  public ConsumerInfo info(String consumer) throws Exception {
    return management.getConsumerInfo(stream, consumer);
  }

  public long stored() throws Exception {
    return management.getStreamInfo(stream).getStreamState().getMsgCount();
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
