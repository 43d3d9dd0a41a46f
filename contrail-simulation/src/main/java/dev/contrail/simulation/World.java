package dev.contrail.simulation;

import dev.contrail.policy.WorkerPolicy;
import dev.contrail.simulation.model.AckSubject;
import dev.contrail.simulation.model.Acknowledgement;
import dev.contrail.simulation.model.Answer;
import dev.contrail.simulation.model.ConsumerState;
import dev.contrail.simulation.model.ModelDelivery;
import dev.contrail.simulation.model.ModelServer;
import dev.contrail.simulation.model.Publication;
import dev.contrail.simulation.model.PublishAck;
import dev.contrail.simulation.model.StreamSettings;
import dev.contrail.simulation.net.Mishap;
import dev.contrail.simulation.net.Onlooker;
import dev.contrail.simulation.net.Outgoing;
import dev.contrail.simulation.net.SimulatedProcess;
import dev.contrail.simulation.net.SimulatedServer;
import dev.contrail.simulation.net.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;

/** A server, its streams, workers, and what is known about every message. */
final class World implements Onlooker, Play {
  static final String STREAM = "ORDERS";
  static final String CONSUMER = "billing";
  private static final long BEGINS = 1_700_000_000_000_000_000L;
  private static final long MILLI = 1_000_000;
  private static final int LARGE = 5_000;
  private static final int AUDITS = 2;

  /** A message that was published, and what handlers did with it. */
  static final class Sent {
    final int number;
    final MessageKind kind;
    final byte[] payload;
    long sequence;
    int runs;
    int done;

    Sent(int number, MessageKind kind) {
      this.number = number;
      this.kind = kind;
      String text = number + " " + kind;
      this.payload =
          (kind == MessageKind.LARGE ? text + " " + "x".repeat(LARGE) : text)
              .getBytes(StandardCharsets.UTF_8);
    }
  }

  private final VirtualTime time = new VirtualTime(BEGINS);
  private final Trace trace = new Trace(time);
  private final Referee referee = new Referee(trace);
  private final LedgerWatch ledger = new LedgerWatch(referee);
  private final DeadLetterWatch deadLetters = new DeadLetterWatch(referee);
  private final ReplayWatch replays = new ReplayWatch(referee);
  private final Scenario scenario;
  private final Mutation mutation;
  private final SplittableRandom random;
  private final SimulatedServer server;
  private final Chaos chaos;
  private final SplittableRandom audited;
  private final AuditWatch audit;
  private final List<Sent> sent = new ArrayList<>();
  private final Map<Long, Sent> bySequence = new HashMap<>();
  private final Map<Long, Integer> returned = new HashMap<>();
  private final Set<Long> noted = new HashSet<>();
  private final List<WorkerProcess> workers = new ArrayList<>();
  private final List<OperatorProcess> operators = new ArrayList<>();
  private int started;

  /**
   * As the scenario says.
   *
   * @param random decides what happens
   * @param audited decides when it is audited; what happens is the same at any time
   */
  World(
      Scenario scenario,
      Function<World, Mutation> mutant,
      SplittableRandom random,
      SplittableRandom audited) {
    this.scenario = scenario;
    this.mutation = mutant.apply(this);
    this.random = random;
    this.server =
        new SimulatedServer(
            time,
            new ModelServer(scenario.version(), BEGINS),
            scenario.version(),
            mutation.maxDeliver(scenario.policy()),
            random.split(),
            this);
    this.chaos = new Chaos(this, random.split());
    this.audited = audited;
    this.audit = new AuditWatch(this, audited.split());
    makeStreams();
    trace.tell("seed", scenario.toString());
  }

  private void makeStreams() {
    ModelServer model = server.model();
    model
        .createStream(
            StreamSettings.of(STREAM, "orders.>")
                .withRetention(scenario.retention())
                .withDuplicateWindow(scenario.duplicateWindow()))
        .orElseThrow();
    model.createStream(mutation.ledgerStream(store("LEDGER", "contrail.ledger.>"))).orElseThrow();
    model.createStream(store("EVENTS", "contrail.event.>")).orElseThrow();
    model.createStream(store("DLQ", "contrail.dlq.>", "contrail.part.>")).orElseThrow();
    model
        .createStream(StreamSettings.bucket("CONTRAIL_RETRIES", 1, Duration.ofHours(25)))
        .orElseThrow();
  }

  private static StreamSettings store(String name, String... subjects) {
    return StreamSettings.of("CONTRAIL_" + name, subjects).withDiscard(StreamSettings.Discard.NEW);
  }

  // What everybody knows.

  @Override
  public VirtualTime time() {
    return time;
  }

  @Override
  public Trace trace() {
    return trace;
  }

  @Override
  public Referee referee() {
    return referee;
  }

  LedgerWatch ledger() {
    return ledger;
  }

  DeadLetterWatch deadLetters() {
    return deadLetters;
  }

  ReplayWatch replays() {
    return replays;
  }

  List<OperatorProcess> operators() {
    return operators;
  }

  Scenario scenario() {
    return scenario;
  }

  @Override
  public Duration chaos() {
    return scenario.chaos();
  }

  @Override
  public String description() {
    return scenario.toString();
  }

  Mutation mutation() {
    return mutation;
  }

  SimulatedServer server() {
    return server;
  }

  List<WorkerProcess> workers() {
    return workers;
  }

  WorkerPolicy workerPolicy() {
    return mutation.policy(scenario.policy());
  }

  Duration longestAckWait() {
    return chaos.longestAckWait();
  }

  boolean isCalm() {
    return chaos.isOver();
  }

  boolean isHandlerOutage() {
    return chaos.isHandlerOutage();
  }

  /** The message with that payload. */
  Sent sent(String payload) {
    return sent.get(Integer.parseInt(payload.substring(0, payload.indexOf(' '))));
  }

  // The beginning.

  @Override
  public void begin() {
    long when = 0;
    for (MessageKind kind : scenario.messages()) {
      Sent message = new Sent(sent.size(), kind);
      sent.add(message);
      time.in(when, () -> publish(message));
      when += random.nextInt(4) == 0 ? random.nextLong(3_000 * MILLI) : random.nextLong(MILLI);
    }
    for (int i = 0; i < scenario.workers(); i++) {
      time.in(random.nextLong(500 * MILLI), this::startWorker);
    }
    for (int i = 1; i <= scenario.operators(); i++) {
      OperatorProcess.Plan plan = new OperatorProcess.Plan("plan-" + i);
      time.in(
          2_000 * MILLI + random.nextLong(scenario.chaos().toNanos()), () -> startOperator(plan));
    }
    chaos.begin();
    for (int i = 0; i < AUDITS; i++) {
      time.in(audited.nextLong(scenario.chaos().toNanos()), audit::look);
    }
  }

  private void startOperator(OperatorProcess.Plan plan) {
    if (!server.isUp()) {
      time.in(1_000 * MILLI, () -> startOperator(plan));
      return;
    }
    started++;
    OperatorProcess operator = new OperatorProcess("op" + started, this, plan, random.split());
    operators.add(operator);
    operator.onDeath(() -> died(operator));
    trace.tell(operator.name(), "starts " + plan.name());
    if (plan.entries().isEmpty()) {
      operator.choose(
          deadLetters.all().stream()
              .flatMap(id -> deadLetters.letter(server.model(), id).stream())
              .toList());
    } else {
      operator.resume();
    }
  }

  private void died(OperatorProcess operator) {
    trace.tell(operator.name(), "dies");
    operator.connection().lose(0, 0);
    operators.remove(operator);
    time.in(random.nextLong(4_000 * MILLI), () -> startOperator(operator.plan()));
  }

  private void publish(Sent message) {
    if (!server.isUp()) {
      time.in(500 * MILLI, () -> publish(message));
      return;
    }
    PublishAck where =
        server
            .model()
            .publish(
                new Publication(
                    "orders.new",
                    List.of(),
                    dev.contrail.simulation.model.Payload.of(message.payload)))
            .orElseThrow();
    message.sequence = where.sequence();
    bySequence.put(where.sequence(), message);
    trace.tell("publish", message.number + " (" + message.kind + ") as " + where.sequence());
    server.changed();
  }

  /** Healthy work, without which an open breaker waits for long. */
  @Override
  public void waitOn() {
    if (workers.stream().noneMatch(WorkerProcess::isHeldByBreaker)) {
      return;
    }
    Sent message = new Sent(sent.size(), MessageKind.GOOD);
    sent.add(message);
    publish(message);
  }

  void startWorker() {
    started++;
    WorkerProcess worker = new WorkerProcess("w" + started, this, random.split());
    workers.add(worker);
    worker.onDeath(() -> died(worker));
    trace.tell(worker.name(), "starts");
    worker.begin();
  }

  private void died(WorkerProcess worker) {
    trace.tell(worker.name(), "dies");
    worker.connection().lose(0, 0);
    workers.remove(worker);
    time.in(random.nextLong(isCalm() ? 500 * MILLI : 4_000 * MILLI), this::startWorker);
  }

  // What the server sees.

  @Override
  public Mishap mishap(Outgoing message) {
    return chaos.mishap(message);
  }

  @Override
  public void stored(Publication publication, PublishAck where) {
    if (where.stream().equals(DeadLetterWatch.STREAM)) {
      trace.tell("server", "stores " + publication.subject());
      deadLetters.stored(publication.subject());
    } else if (where.stream().equals(STREAM)) {
      Sent message = sent(publication.payload().text());
      bySequence.put(where.sequence(), message);
      trace.tell("server", "stores a copy of " + message.number + " as " + where.sequence());
      replays.published(publication, where.sequence());
    } else if (where.stream().equals("CONTRAIL_EVENTS")) {
      trace.tell("server", "stores " + publication.subject());
      replays.told(publication, ledger.moment());
    }
  }

  @Override
  public void acknowledges(AckSubject delivery, Acknowledgement word, SimulatedProcess from) {
    long sequence = delivery.streamSequence();
    if (word instanceof Acknowledgement.Nak) {
      returned.merge(sequence, 1, Integer::sum);
    } else if (word instanceof Acknowledgement.Ack) {
      referee.require(
          replays.isCopy(sequence) ? replays.isTold(sequence) : ledger.isRecorded(sequence),
          Invariant.RECORD_FIRST,
          "message " + sequence + " is acked, and its completion is not recorded");
    } else if (word instanceof Acknowledgement.Term) {
      Sent message = bySequence.get(sequence);
      if (message != null) {
        deadLetters
            .lack(server.model(), sequence, message.payload)
            .ifPresent(
                lack ->
                    referee.foul(
                        Invariant.EVIDENCE_FIRST,
                        "message " + sequence + " is terminated, and " + lack));
      }
    }
  }

  @Override
  public void delivered(ModelDelivery delivery, SimulatedProcess to) {
    requireReturned(delivery);
    trace.tell(
        "server",
        "delivers "
            + delivery.message().sequence()
            + " to "
            + to
            + " (delivery "
            + delivery.reply().deliveries()
            + ")");
  }

  /** Where only stores fail, nobody lets go of a message but by returning it. */
  private void requireReturned(ModelDelivery delivery) {
    long sequence = delivery.message().sequence();
    int times = returned.getOrDefault(sequence, 0);
    referee.require(
        !scenario.onlyStoresFail() || delivery.reply().deliveries() <= times + 1,
        Invariant.HELD_IN_AN_OUTAGE,
        "message " + sequence + " is delivered again, and was not returned");
  }

  /** It is noted that a handler is about to begin with it, alone or not, or that it has ended. */
  void noted(long sequence) {
    noted.add(sequence);
  }

  /** A worker has a message die of that. */
  void blame(long sequence, Throwable cause, WorkerProcess by) {
    boolean blamed = cause.getClass().getSimpleName().equals("NoOutcomeException");
    referee.require(
        !blamed || noted.contains(sequence),
        Invariant.KILLERS_ARE_BLAMED,
        by.name() + " blames " + sequence + ", whose last run nobody noted");
  }

  // The end.

  @Override
  public List<String> unsettled() {
    List<String> left = new ArrayList<>();
    for (Sent message : sent) {
      boolean settled =
          ledger.isRecorded(message.sequence) || deadLetters.of(message.sequence).isPresent();
      if (!settled) {
        left.add("message " + message.sequence + " (" + message.kind + ")");
      }
    }
    left.addAll(replays.open());
    for (OperatorProcess operator : operators) {
      if (!operator.plan().isDone()) {
        left.add(operator.plan().name());
      }
    }
    return left;
  }

  boolean hasConsumer() {
    return server.model().consumerInfo(STREAM, CONSUMER) instanceof Answer.Ok<ConsumerState>;
  }

  @Override
  public boolean isAtRest() {
    return server.model().consumerInfo(STREAM, CONSUMER) instanceof Answer.Ok<ConsumerState> ok
        && ok.value().pending() == 0
        && ok.value().ackPending() == 0
        && workers.stream().allMatch(WorkerProcess::isIdle);
  }

  @Override
  public void reportUnrest(List<String> left) {
    boolean waits =
        !(server.model().consumerInfo(STREAM, CONSUMER) instanceof Answer.Ok<ConsumerState> ok)
            || ok.value().pending() > 0
            || ok.value().ackPending() > 0
            || !workers.stream().allMatch(WorkerProcess::isIdle);
    for (WorkerProcess worker : workers) {
      trace.tell(worker.name(), worker.state());
    }
    trace.tell("server", server.model().consumerInfo(STREAM, CONSUMER).toString());
    referee.foul(
        waits ? Invariant.COMES_TO_REST : Invariant.NOTHING_VANISHES,
        waits
            ? "something is still under way" + (left.isEmpty() ? "" : ", of " + left)
            : "nobody holds " + left + ", neither recorded as completed nor dead letters");
  }

  @Override
  public void checkAll() {
    audit.lookAtTheEnd();
    Completed completed = Completed.read(server.model());
    for (Sent message : sent) {
      long sequence = message.sequence;
      boolean recorded = completed.contains(sequence);
      referee.require(
          recorded || deadLetters.lack(server.model(), sequence, message.payload).isEmpty(),
          Invariant.NOTHING_VANISHES,
          "message " + sequence + " is neither recorded as completed nor a dead letter");
      referee.require(
          !ledger.isConfirmed(sequence) || recorded,
          Invariant.CURRENT_LOOK_UPS,
          "the completion of " + sequence + " was confirmed, and is not in the ledger");
    }
  }
}
