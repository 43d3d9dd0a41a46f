package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.Headers;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.EvidenceDecoder;
import dev.contrail.evidence.Incarnation;
import dev.contrail.ledger.LedgerFactory;
import dev.contrail.policy.Backoff;
import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfoOptions;
import io.nats.client.api.StreamState;
import io.nats.client.api.Subject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A stream and Contrail's own streams under a prefix of their own, so that tests share a server.
 */
final class Workplace implements AutoCloseable {
  static final Duration SOON = Duration.ofSeconds(30);

  /** A cluster on a busy machine takes its time. */
  static final JetStreamOptions PATIENT =
      JetStreamOptions.builder().requestTimeout(Duration.ofSeconds(20)).build();

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  final NatsServer server;
  final Connection connection;
  final JetStreamManagement management;
  final String stream;
  final Names names;

  private Workplace(NatsServer server, Connection connection, String stream, Names names)
      throws IOException {
    this.server = server;
    this.connection = connection;
    this.management = connection.jetStreamManagement(PATIENT);
    this.stream = stream;
    this.names = names;
  }

  static Workplace on(NatsServer server, RetentionPolicy retention) throws Exception {
    int number = NUMBERS.incrementAndGet();
    Workplace workplace = at(server, "S" + number, "t" + number);
    workplace.management.addStream(workplace.plainStream(retention).build());
    return workplace;
  }

  static Workplace workqueue(NatsServer server) throws Exception {
    return on(server, RetentionPolicy.WorkQueue);
  }

  /** The same place seen from another process. */
  static Workplace at(NatsServer server, String stream, String prefix) throws IOException {
    return new Workplace(server, Contrail.connect(server.url()), stream, new Names(prefix));
  }

  StreamConfiguration.Builder plainStream(RetentionPolicy retention) {
    return StreamConfiguration.builder()
        .name(stream)
        .subjects(stream + ".>")
        .retentionPolicy(retention);
  }

  String subject() {
    return stream + ".work";
  }

  /** A consumer with short waits. */
  ConsumerBuilder<byte[]> consumer() {
    return Contrail.consumer(connection, stream, "worker")
        .prefix(names.prefix())
        .ackWait(Duration.ofSeconds(2))
        .backoff(new Backoff(Duration.ofMillis(20), 2, Duration.ofMillis(100)))
        .drainTimeout(Duration.ofSeconds(5));
  }

  long publish(String payload) throws Exception {
    return connection
        .jetStream(PATIENT)
        .publish(subject(), payload.getBytes(StandardCharsets.UTF_8))
        .getSeqno();
  }

  void publish(int count, String payload) throws Exception {
    List<CompletableFuture<?>> acks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      acks.add(
          connection
              .jetStream(PATIENT)
              .publishAsync(subject(), payload.getBytes(StandardCharsets.UTF_8)));
      if (acks.size() == 1_000) {
        CompletableFuture.allOf(acks.toArray(new CompletableFuture<?>[0])).get();
        acks.clear();
      }
    }
    CompletableFuture.allOf(acks.toArray(new CompletableFuture<?>[0])).get();
  }

  /** Makes the stream of events, as an operator's command does. */
  void provisionEvents() {
    new Provisioning(
            connection, JetStreamOptions.defaultOptions(), InitPlan.of(names), Provision.CREATE)
        .ensure(List.of(Store.EVENTS));
  }

  /** Makes Contrail's own streams, as the start of a consumer does. */
  void provision() {
    new Provisioning(connection, PATIENT, InitPlan.of(names), Provision.CREATE)
        .ensure(List.of(Store.DEAD_LETTERS, Store.RETRIES, Store.LEDGER));
  }

  /** The ledgers that a consumer keeps by default, to be given to one with something in between. */
  LedgerFactory jetStreamLedgers(Connection of) {
    return LedgerChoice.of(LedgerChoice.Kind.JETSTREAM)
        .factory(
            of,
            new JetStreamApi(of, PATIENT),
            names,
            dev.contrail.ledger.log.LedgerTimes.DEFAULT,
            alert -> {})
        .orElseThrow();
  }

  /** Makes the consumer, and takes the next message with no worker. */
  Message deliver() throws Exception {
    management.addOrUpdateConsumer(
        stream, ConsumerConfiguration.builder().durable("worker").ackWait(2_000).build());
    return connection
        .jetStream()
        .subscribe(null, PullSubscribeOptions.bind(stream, "worker"))
        .fetch(1, SOON)
        .get(0);
  }

  long messages() {
    return state(stream).getMsgCount();
  }

  void awaitEmpty() {
    await().atMost(SOON).until(() -> messages() == 0);
  }

  ConsumerInfo consumerInfo() {
    try {
      return management.getConsumerInfo(stream, "worker");
    } catch (IOException | JetStreamApiException e) {
      throw new AssertionError(e);
    }
  }

  int deadLetterCount() {
    return deadLetterIds().size();
  }

  List<DeadLetterId> deadLetterIds() {
    return deadLetterSubjects(names.prefix() + ".dlq.>").stream()
        .map(subject -> DeadLetterId.ofSubject(names.prefix(), subject.getName()).orElseThrow())
        .sorted(Comparator.comparingLong(DeadLetterId::sequence))
        .toList();
  }

  /** With the number of messages on each. */
  List<Subject> deadLetterSubjects(String filter) {
    try {
      return management
          .getStreamInfo(names.deadLetterStream(), StreamInfoOptions.filterSubjects(filter))
          .getStreamState()
          .getSubjects();
    } catch (IOException | JetStreamApiException e) {
      throw new AssertionError(e);
    }
  }

  String incarnation() {
    try {
      return Incarnation.of(management.getStreamInfo(stream).getCreateTime().toInstant());
    } catch (IOException | JetStreamApiException e) {
      throw new AssertionError(e);
    }
  }

  List<DeadLetter> deadLetters() {
    return deadLetterIds().stream().map(this::deadLetter).toList();
  }

  DeadLetter deadLetter(DeadLetterId id) {
    JetStreamApi api = new JetStreamApi(connection, JetStreamOptions.defaultOptions());
    StoredMessage head =
        api.last(names.deadLetterStream(), id.subject(names.prefix())).join().orElseThrow();
    return EvidenceDecoder.decode(
        id,
        head.headers(),
        head.data(),
        (number, sha256) ->
            api.last(names.deadLetterStream(), id.partSubject(names.prefix(), number, sha256))
                .join()
                .map(StoredMessage::data));
  }

  /** The one there is, when it is there. */
  DeadLetter awaitDeadLetter() {
    await().atMost(SOON).until(() -> deadLetterCount() > 0);
    List<DeadLetter> all = deadLetters();
    if (all.size() != 1) {
      throw new AssertionError("expected one dead letter, but there are " + all);
    }
    return all.get(0);
  }

  /** What a handler does that takes its time. */
  static void work(Duration time) throws InterruptedException {
    assertThat(new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS)).isFalse();
  }

  static String text(DeadLetter letter) {
    return new String(letter.message().payload(), StandardCharsets.UTF_8);
  }

  static Headers headers(DeadLetter letter) {
    return letter.message().headers();
  }

  Optional<StreamState> stateOf(String name) {
    try {
      return Optional.of(management.getStreamInfo(name).getStreamState());
    } catch (IOException | JetStreamApiException e) {
      return Optional.empty();
    }
  }

  private StreamState state(String name) {
    return stateOf(name).orElseThrow();
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
