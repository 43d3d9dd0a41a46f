package dev.contrail.operations.guard;

import static dev.contrail.operations.TestServer.NAMES;
import static dev.contrail.operations.TestServer.OPTIONS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.DeadLetters;
import dev.contrail.operations.TestServer;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A server that a guard walks, and consumers of others on it that give up. */
final class Beat implements AutoCloseable {
  static final Duration SOON = Duration.ofSeconds(60);
  static final Duration ACK_WAIT = Duration.ofMillis(300);

  final TestServer place;
  final JetStreamServer server;
  final List<GuardEvent> told = new CopyOnWriteArrayList<>();
  GuardOptions options = GuardOptions.DEFAULT.withRelease(GuardOptions.Release.ALL);

  private Beat(TestServer place) {
    this.place = place;
    this.server = new JetStreamServer(place.connection, OPTIONS);
  }

  /** With the stream that captures advisories. */
  static Beat on(NatsServerBinary binary) throws IOException {
    return new Beat(TestServer.start(binary, Store.ADVISORIES));
  }

  /** Where nobody captures advisories. */
  static Beat withoutCapture(NatsServerBinary binary) throws IOException {
    return new Beat(TestServer.start(binary));
  }

  void durable(String stream, String name, int maxDeliver, String... filters) throws Exception {
    place.management.addOrUpdateConsumer(
        stream,
        ConsumerConfiguration.builder()
            .durable(name)
            .maxDeliver(maxDeliver)
            .ackWait(ACK_WAIT)
            .filterSubjects(filters)
            .build());
  }

  void publish(String subject, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      place.connection.jetStream().publish(subject, ("message " + i).getBytes(UTF_8));
    }
  }

  /** Has a consumer do that with all it is given, until the server has no more for it. */
  void work(String stream, String consumer, Consumer<Message> with) throws Exception {
    JetStreamSubscription pull =
        place.connection.jetStream().subscribe(null, PullSubscribeOptions.bind(stream, consumer));
    await()
        .atMost(SOON)
        .until(
            () -> {
              pull.fetch(100, Duration.ofMillis(200)).forEach(with);
              ConsumerInfo info = place.management.getConsumerInfo(stream, consumer);
              return info.getNumPending() == 0 && info.getNumAckPending() == 0;
            });
    // Older servers say that they give up on a message when they are asked for the next.
    pull.fetch(1, Duration.ofMillis(100));
    pull.unsubscribe();
  }

  long advisories() throws Exception {
    return place.management.getStreamInfo(NAMES.advisoryStream()).getStreamState().getMsgCount();
  }

  long stored(String stream) throws Exception {
    return place.management.getStreamInfo(stream).getStreamState().getMsgCount();
  }

  GuardStatus guardOnce() throws InterruptedException {
    return Guard.once(place.connection, OPTIONS, NAMES, options, told::add, () -> false);
  }

  GuardStatus rehearse() throws InterruptedException {
    return Guard.rehearse(place.connection, OPTIONS, NAMES, options, told::add, () -> false);
  }

  Guard start() {
    return Guard.start(place.connection, OPTIONS, NAMES, options, told::add);
  }

  <E extends GuardEvent> Stream<E> told(Class<E> kind) {
    return told.stream().filter(kind::isInstance).map(kind::cast);
  }

  List<DeadLetterId> letterIds() {
    return server.subjects(NAMES.deadLetterStream(), NAMES.deadLetterSubjects()).keySet().stream()
        .flatMap(it -> DeadLetterId.ofSubject(NAMES.prefix(), it).stream())
        .toList();
  }

  List<DeadLetter> letters() {
    DeadLetters all = new DeadLetters(place.connection, OPTIONS, NAMES);
    return letterIds().stream().map(it -> all.find(it).orElseThrow()).toList();
  }

  @Override
  public void close() {
    place.close();
  }
}
