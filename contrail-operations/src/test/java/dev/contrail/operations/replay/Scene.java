package dev.contrail.operations.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.contrail.Delivery;
import dev.contrail.Handler;
import dev.contrail.RejectedMessageException;
import dev.contrail.event.EntryState;
import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Death;
import dev.contrail.evidence.EvidenceEncoder;
import dev.contrail.evidence.Incarnation;
import dev.contrail.evidence.Limits;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.evidence.Reason;
import dev.contrail.failure.Failure;
import dev.contrail.jetstream.ConsumerBuilder;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.DeadLetters;
import dev.contrail.operations.index.EntryFilter;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.policy.Backoff;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinaries;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A stream with a consumer whose messages die, on a server that tests share. */
final class Scene implements AutoCloseable {
  static final Duration SOON = Duration.ofSeconds(30);
  static final String CONSUMER = "billing";
  static final String ANN = "ann@host";

  private static final Map<NatsServerBinary, NatsServer> SHARED = new ConcurrentHashMap<>();
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static final JetStreamOptions OPTIONS = JetStreamOptions.defaultOptions();

  final String url;
  final Connection connection;
  final JetStreamManagement management;
  final String stream;
  final Names names;
  final EventStore events;
  final ReplayPlans plans;
  final Selections selections;
  final Queue<Delivery<byte[]>> runs = new ConcurrentLinkedQueue<>();

  private Scene(String url, String stream, Names names) throws IOException {
    this.url = url;
    this.stream = stream;
    this.names = names;
    this.connection = Contrail.connect(url);
    this.management = connection.jetStreamManagement();
    this.events = new EventStore(connection, OPTIONS, names);
    this.plans = new ReplayPlans(connection, OPTIONS, names, Provision.CREATE);
    this.selections = new Selections(connection, OPTIONS, names);
  }

  /** The oldest and the newest server there is. */
  static List<NatsServerBinary> servers() {
    List<NatsServerBinary> all = NatsServerBinaries.available();
    return all.size() == 1 ? all : List.of(all.get(0), all.get(all.size() - 1));
  }

  static NatsServerBinary newest() {
    List<NatsServerBinary> all = NatsServerBinaries.available();
    return all.get(all.size() - 1);
  }

  static Scene on(NatsServerBinary binary, RetentionPolicy retention) throws Exception {
    return on(binary, retention, Duration.ofMinutes(2));
  }

  static Scene on(NatsServerBinary binary, RetentionPolicy retention, Duration duplicateWindow)
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
    Scene scene = new Scene(server.url(), "S" + number, new Names("r" + number));
    scene.management.addStream(
        StreamConfiguration.builder()
            .name(scene.stream)
            .subjects(scene.stream + ".>")
            .retentionPolicy(retention)
            .duplicateWindow(duplicateWindow)
            .build());
    return scene;
  }

  /** The same scene seen from another process. */
  static Scene at(String url, String stream, String prefix) throws IOException {
    return new Scene(url, stream, new Names(prefix));
  }

  String subject() {
    return stream + ".new";
  }

  ConsumerBuilder<byte[]> consumer(String name) {
    return Contrail.consumer(connection, stream, name)
        .prefix(names.prefix())
        .ackWait(Duration.ofSeconds(2))
        .backoff(new Backoff(Duration.ofMillis(20), 2, Duration.ofMillis(100)))
        .drainTimeout(Duration.ofSeconds(5));
  }

  /** A worker that processes all, and counts. */
  ContrailConsumer worker() {
    return worker(runs::add);
  }

  ContrailConsumer worker(Handler<byte[]> handler) {
    return consumer(CONSUMER).handler(handler).start();
  }

  /** Publishes so many messages and has the consumer give up on all; the oldest first. */
  List<DeadLetterId> die(int count) throws Exception {
    List<CompletableFuture<?>> published = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      published.add(connection.jetStream().publishAsync(subject(), ("order " + i).getBytes(UTF_8)));
    }
    CompletableFuture.allOf(published.toArray(CompletableFuture<?>[]::new)).join();
    return rejectAll(count);
  }

  /** Has the consumer give up on so many messages that are there. */
  List<DeadLetterId> rejectAll(int count) throws Exception {
    try (ContrailConsumer rejecting =
        worker(
            delivery -> {
              throw new RejectedMessageException("no such customer");
            })) {
      await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> rejecting.status().counts().dead() == count);
    }
    return all().stream().map(candidate -> candidate.summary().id()).toList();
  }

  /** The dead letters of so many messages that nobody ever sent, as a worker would write them. */
  void bury(int count) throws Exception {
    bury(count, letter -> letter);
  }

  /** The same, each as it is told. */
  void bury(int count, UnaryOperator<DeadLetter> as) throws Exception {
    bury(CONSUMER, Reason.REJECTED, 1_000_001, count, as);
  }

  /** The dead letters of so many messages from a sequence on, of the stream as it is now. */
  void bury(String consumer, Reason reason, long from, int count) throws Exception {
    bury(consumer, reason, from, count, letter -> letter);
  }

  private void bury(
      String consumer, Reason reason, long from, int count, UnaryOperator<DeadLetter> as)
      throws Exception {
    new Provisioning(connection, OPTIONS, InitPlan.of(names), Provision.CREATE)
        .ensure(List.of(Store.DEAD_LETTERS));
    String incarnation =
        Incarnation.of(management.getStreamInfo(stream).getCreateTime().toInstant());
    Instant now = Instant.now();
    Death death =
        new Death(
            reason,
            now,
            1,
            Failure.of(new RejectedMessageException("no such customer")),
            new Death.Witness("7@host", Optional.empty()));
    List<CompletableFuture<?>> published = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      DeadLetterId id = new DeadLetterId(stream, consumer, incarnation, from + i);
      OriginalMessage message =
          OriginalMessage.of(
              subject(), now, dev.contrail.Headers.none(), ("order " + i).getBytes(UTF_8));
      var head =
          EvidenceEncoder.encode(
                  as.apply(new DeadLetter(id, message, death)), Limits.ofMessages(1 << 20))
              .head();
      Headers headers = new Headers();
      head.headers().forEach(line -> headers.add(line.name(), line.value()));
      published.add(
          connection.jetStream().publishAsync(id.subject(names.prefix()), headers, head.body()));
    }
    CompletableFuture.allOf(published.toArray(CompletableFuture<?>[]::new)).join();
  }

  List<Candidate> all() throws InterruptedException {
    return selections.matching(
        EntryFilter.builder().stream(stream).consumer(CONSUMER).build(),
        unreadable -> {
          throw new AssertionError(unreadable);
        });
  }

  /** Stores a plan for those that can be replayed of all there are. */
  PlanHead plan(PlanOptions how) throws InterruptedException {
    return plan(all(), how, false);
  }

  PlanHead plan(List<Candidate> candidates, PlanOptions how, boolean force) {
    List<PlanEntry> entries =
        plans.draft(candidates, how, force).planned().stream().map(Draft.Planned::entry).toList();
    return plans.create(entries, "all", how, ANN);
  }

  RunResult run(PlanHead head) throws InterruptedException {
    return plans.run(head.plan(), ANN, false, new StopSign(), PlanReport.NO_LISTENER);
  }

  List<PlanSummary> listed() {
    return plans.list(
        unreadable -> {
          throw new AssertionError(unreadable);
        });
  }

  PlanReport awaitAll(PlanHead head) throws InterruptedException {
    StopSign tooLate = new StopSign();
    CompletableFuture.delayedExecutor(SOON.toSeconds(), TimeUnit.SECONDS)
        .execute(() -> tooLate.cancel("too late"));
    return plans.await(head.plan(), ANN, tooLate, PlanReport.NO_LISTENER);
  }

  Status status(DeadLetterId id) {
    return state(id).status();
  }

  EntryState state(DeadLetterId id) {
    return events.state(id).join();
  }

  DeadLetters deadLetters() {
    return new DeadLetters(connection, OPTIONS, names);
  }

  /** Until another stream with that window takes an id that it took when this was called. */
  void awaitDuplicateWindowOver(Duration window) throws Exception {
    String probes = stream + "-probes";
    management.addStream(
        StreamConfiguration.builder().name(probes).duplicateWindow(window).build());
    Headers id = new Headers().add("Nats-Msg-Id", "probe");
    connection.jetStream().publish(probes, id, new byte[0]);
    await()
        .atMost(SOON)
        .until(() -> !connection.jetStream().publish(probes, id, new byte[0]).isDuplicate());
  }

  long messages() {
    try {
      return management.getStreamInfo(stream).getStreamState().getMsgCount();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  void awaitEmpty() {
    await().atMost(SOON).until(() -> messages() == 0);
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
