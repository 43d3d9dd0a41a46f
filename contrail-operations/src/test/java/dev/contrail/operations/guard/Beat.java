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
import dev.contrail.server.NatsServerBuilder;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A server that a guard walks, and consumers of others on it that give up. */
final class Beat implements AutoCloseable {
  static final Duration SOON = Duration.ofSeconds(60);
  static final Duration ACK_WAIT = Duration.ofMillis(300);
  static final Duration FOR_EVER = Duration.ofHours(1);

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

  /** The same on a server with more lines in its configuration. */
  static Beat on(NatsServerBinary binary, String config) throws IOException {
    return new Beat(TestServer.start(binary, config, Store.ADVISORIES));
  }

  /** The same on a server that is started so. */
  static Beat on(NatsServerBuilder how) throws IOException {
    return new Beat(TestServer.start(how, Store.ADVISORIES));
  }

  /** Where nobody captures advisories. */
  static Beat withoutCapture(NatsServerBinary binary) throws IOException {
    return new Beat(TestServer.start(binary));
  }

  void durable(String stream, String name, int maxDeliver, String... filters) throws Exception {
    durable(stream, name, maxDeliver, ACK_WAIT, filters);
  }

  void durable(String stream, String name, int maxDeliver, Duration ackWait, String... filters)
      throws Exception {
    place.management.addOrUpdateConsumer(
        stream,
        ConsumerConfiguration.builder()
            .durable(name)
            .maxDeliver(maxDeliver)
            .ackWait(ackWait)
            .filterSubjects(filters)
            .build());
  }

  void publish(String subject, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      place.jetStream.publish(subject, ("message " + i).getBytes(UTF_8));
    }
  }

  /** Has a consumer do that with all it is given, until the server has no more for it. */
  void work(String stream, String consumer, Consumer<Message> with) throws Exception {
    JetStreamSubscription pull =
        place.jetStream.subscribe(null, PullSubscribeOptions.bind(stream, consumer));
    await()
        .atMost(SOON)
        .until(
            () -> {
              pull.fetch(100, Duration.ofMillis(200)).forEach(with);
              ConsumerInfo info = place.management.getConsumerInfo(stream, consumer);
              return info.getNumPending() == 0 && info.getNumAckPending() == 0;
            });
    pull.unsubscribe();
  }

  /** The same, and waits until the server has said so often that it is given up on. */
  void giveUp(String stream, String consumer, Consumer<Message> with, long advisories)
      throws Exception {
    work(stream, consumer, with);
    // Older servers say so when they are asked for the next message.
    JetStreamSubscription pull =
        place.jetStream.subscribe(null, PullSubscribeOptions.bind(stream, consumer));
    await()
        .atMost(SOON)
        .until(
            () -> {
              pull.fetch(1, Duration.ofMillis(50)).forEach(with);
              return advisories() >= advisories;
            });
    pull.unsubscribe();
  }

  /** What the server says of a message that it gives up on. */
  void advise(String stream, String consumer, long sequence, long deliveries, Instant at)
      throws Exception {
    String json =
        """
        {"type":"io.nats.jetstream.advisory.v1.max_deliver","id":"1","timestamp":"%s",\
        "stream":"%s","consumer":"%s","stream_seq":%d,"deliveries":%d}"""
            .formatted(at, stream, consumer, sequence, deliveries);
    place.jetStream.publish(
        "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES." + stream + "." + consumer,
        json.getBytes(UTF_8));
  }

  /** Takes so many messages and says nothing about them. */
  List<Message> take(String stream, String consumer, int count) throws Exception {
    JetStreamSubscription pull =
        place.jetStream.subscribe(null, PullSubscribeOptions.bind(stream, consumer));
    List<Message> taken = pull.fetch(count, SOON);
    pull.unsubscribe();
    return taken;
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
