package dev.contrail.simulation;

import dev.contrail.simulation.model.AckSubject;
import dev.contrail.simulation.model.Acknowledgement;
import dev.contrail.simulation.model.Answer;
import dev.contrail.simulation.model.ConsumerSettings;
import dev.contrail.simulation.model.ConsumerState;
import dev.contrail.simulation.model.ModelDelivery;
import dev.contrail.simulation.model.ModelServer;
import dev.contrail.simulation.model.Payload;
import dev.contrail.simulation.model.Publication;
import dev.contrail.simulation.model.PublishAck;
import dev.contrail.simulation.model.StreamSettings;
import dev.contrail.simulation.model.StreamSettings.Discard;
import dev.contrail.simulation.net.Mishap;
import dev.contrail.simulation.net.Onlooker;
import dev.contrail.simulation.net.Outgoing;
import dev.contrail.simulation.net.SimulatedProcess;
import dev.contrail.simulation.net.SimulatedServer;
import dev.contrail.simulation.net.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A server with a consumer whose clients know nothing of Contrail, and guards. */
final class GuardedWorld implements Onlooker, Play {
  static final String STREAM = "SHIPMENTS";
  static final String CONSUMER = "shipping";
  static final String ADVISORIES = "CONTRAIL_ADVISORIES";
  private static final String GUARDS = "contrail-guard";
  static final String ADVISORY = "$JS.EVENT.ADVISORY.CONSUMER.";
  private static final long BEGINS = 1_700_000_000_000_000_000L;
  private static final long MILLI = 1_000_000;
  private static final int LARGE = 5_000;

  private final VirtualTime time = new VirtualTime(BEGINS);
  private final Trace trace = new Trace(time);
  private final Referee referee = new Referee(trace);
  private final DeadLetterWatch deadLetters = new DeadLetterWatch(referee);
  private final Mutation mutation;
  private final SplittableRandom random;
  private final GuardedScenario scenario;
  private final SimulatedServer server;
  private final GuardedChaos chaos;
  private final List<GuardProcess> guards = new ArrayList<>();
  private final List<ForeignClient> clients = new ArrayList<>();
  private final ReleaseWatch releases;
  private final List<Publication> advisories = new ArrayList<>();
  private int unpublished;
  private int started;

  GuardedWorld(Mutation mutation, SplittableRandom random) {
    this.mutation = mutation;
    this.random = random;
    this.scenario = GuardedScenario.of(random);
    ModelServer model = new ModelServer(scenario.version(), BEGINS);
    this.server = new SimulatedServer(time, model, scenario.version(), -1, random.split(), this);
    this.chaos = new GuardedChaos(this, random.split());
    this.releases = new ReleaseWatch(this);
    makeStreams(model);
    model.onAdvisory(this::advised);
    trace.tell("seed", scenario.toString());
  }

  private void makeStreams(ModelServer model) {
    model
        .createStream(StreamSettings.of(STREAM, "shipments.>").withRetention(scenario.retention()))
        .orElseThrow();
    makeConsumer(scenario.maxDeliver());
    model
        .createStream(
            StreamSettings.of(
                ADVISORIES, ADVISORY + "MAX_DELIVERIES.>", ADVISORY + "MSG_TERMINATED.>"))
        .orElseThrow();
    model
        .createConsumer(ADVISORIES, ConsumerSettings.of(GUARDS).withAckWait(Duration.ofSeconds(30)))
        .orElseThrow();
    model
        .createStream(
            StreamSettings.of("CONTRAIL_DLQ", "contrail.dlq.>", "contrail.part.>")
                .withDiscard(Discard.NEW))
        .orElseThrow();
    model
        .createStream(
            StreamSettings.of("CONTRAIL_EVENTS", "contrail.event.>").withDiscard(Discard.NEW))
        .orElseThrow();
  }

  /** Makes it, or changes it. */
  void makeConsumer(int maxDeliver) {
    server
        .model()
        .createConsumer(
            STREAM,
            ConsumerSettings.of(CONSUMER)
                .withAckWait(scenario.ackWait())
                .withMaxDeliver(maxDeliver))
        .orElseThrow();
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

  @Override
  public Duration chaos() {
    return scenario.chaos();
  }

  @Override
  public String description() {
    return scenario.toString();
  }

  DeadLetterWatch deadLetters() {
    return deadLetters;
  }

  /** Whether somebody may have looked at the consumer before it was changed, and acts on it. */
  boolean changedLately() {
    return chaos.changedLately();
  }

  GuardedScenario scenario() {
    return scenario;
  }

  SimulatedServer server() {
    return server;
  }

  Mutation mutation() {
    return mutation;
  }

  List<GuardProcess> guards() {
    return guards;
  }

  List<ForeignClient> clients() {
    return clients;
  }

  // The beginning.

  @Override
  public void begin() {
    long when = 0;
    for (ForeignClient.Kind kind : scenario.messages()) {
      int number = unpublished;
      unpublished++;
      time.in(when, () -> publish(number, kind));
      when += random.nextLong(3_000 * MILLI);
    }
    for (int i = 0; i < scenario.clients(); i++) {
      time.in(random.nextLong(500 * MILLI), this::startClient);
    }
    for (int i = 0; i < scenario.guards(); i++) {
      time.in(random.nextLong(5_000 * MILLI), this::startGuard);
    }
    chaos.begin();
  }

  private void publish(int number, ForeignClient.Kind kind) {
    if (!server.isUp()) {
      time.in(500 * MILLI, () -> publish(number, kind));
      return;
    }
    unpublished--;
    boolean large = kind == ForeignClient.Kind.LARGE;
    byte[] payload =
        (number + " " + kind + (large ? " " + "x".repeat(LARGE) : ""))
            .getBytes(StandardCharsets.UTF_8);
    PublishAck where =
        server
            .model()
            .publish(new Publication("shipments.new", List.of(), Payload.of(payload)))
            .orElseThrow();
    releases.published(where.sequence(), payload);
    trace.tell("publish", number + " (" + kind + ") as " + where.sequence());
    server.changed();
  }

  private void startGuard() {
    if (!server.isUp()) {
      time.in(1_000 * MILLI, this::startGuard);
      return;
    }
    started++;
    GuardProcess guard = new GuardProcess("g" + started, this, random.split());
    guards.add(guard);
    guard.onDeath(
        () -> {
          guards.remove(guard);
          died(guard, this::startGuard);
        });
    trace.tell(guard.name(), "starts");
    guard.begin();
  }

  private void startClient() {
    if (!server.isUp()) {
      time.in(1_000 * MILLI, this::startClient);
      return;
    }
    started++;
    ForeignClient client = new ForeignClient("c" + started, this, random.split());
    clients.add(client);
    client.onDeath(
        () -> {
          clients.remove(client);
          died(client, this::startClient);
        });
    trace.tell(client.name(), "starts");
    client.begin();
  }

  private void died(PullingProcess process, Runnable next) {
    trace.tell(process.name(), "dies");
    process.connection().lose(0, 0);
    time.in(random.nextLong(4_000 * MILLI), next);
  }

  // What the server sees.

  private void advised(Publication advisory) {
    trace.tell("server", "says " + advisory.payload().text());
    advisories.add(advisory);
    releases.advised(advisory);
  }

  /** Says once more something that it said before. */
  void repeatAdvisory(int which) {
    if (server.isUp() && !advisories.isEmpty()) {
      Publication again = advisories.get(which % advisories.size());
      trace.tell("server", "says again " + again.payload().text());
      var unused = server.model().publish(again);
      server.changed();
    }
  }

  @Override
  public Mishap mishap(Outgoing message) {
    return chaos.mishap(message);
  }

  @Override
  public void stored(Publication publication, PublishAck where) {
    trace.tell("server", "stores " + publication.subject());
    if (where.stream().equals(DeadLetterWatch.STREAM)) {
      deadLetters.stored(publication.subject());
    }
  }

  @Override
  public void delivered(ModelDelivery delivery, SimulatedProcess to) {
    trace.tell(
        "server",
        "delivers "
            + delivery.reply().stream()
            + " "
            + delivery.message().sequence()
            + " to "
            + to
            + " (delivery "
            + delivery.reply().deliveries()
            + ")");
  }

  @Override
  public void acknowledges(AckSubject delivery, Acknowledgement word, SimulatedProcess from) {
    if (delivery.stream().equals(STREAM)) {
      releases.acknowledges(delivery.streamSequence(), word, from);
    }
  }

  @Override
  public void deletes(String stream, long sequence) {
    trace.tell("server", "deletes " + sequence);
    releases.released(sequence);
  }

  // The end.

  @Override
  public List<String> unsettled() {
    List<String> left = new ArrayList<>();
    if (unpublished > 0) {
      left.add(unpublished + " to be published");
    }
    left.addAll(releases.unsettled());
    return left;
  }

  @Override
  public boolean isAtRest() {
    return isIdle(STREAM, CONSUMER) && isIdle(ADVISORIES, GUARDS);
  }

  private boolean isIdle(String stream, String consumer) {
    return server.model().consumerInfo(stream, consumer) instanceof Answer.Ok<ConsumerState> ok
        && ok.value().pending() == 0
        && ok.value().ackPending() == 0;
  }

  @Override
  public void reportUnrest(List<String> left) {
    trace.tell("server", server.model().consumerInfo(STREAM, CONSUMER).toString());
    trace.tell("server", server.model().consumerInfo(ADVISORIES, GUARDS).toString());
    referee.foul(
        isAtRest() ? Invariant.NOTHING_VANISHES : Invariant.COMES_TO_REST,
        isAtRest()
            ? "nobody holds " + left + ", neither acked nor dead letters"
            : "something is still under way" + (left.isEmpty() ? "" : ", of " + left));
  }

  @Override
  public void checkAll() {
    releases.checkAll();
  }
}
