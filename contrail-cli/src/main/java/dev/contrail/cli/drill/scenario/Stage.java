package dev.contrail.cli.drill.scenario;

import dev.contrail.cli.drill.account.Account;
import dev.contrail.cli.drill.account.Breach;
import dev.contrail.cli.drill.account.Facts;
import dev.contrail.cli.drill.account.FactsReader;
import dev.contrail.cli.drill.account.Promise;
import dev.contrail.cli.drill.account.Reckoning;
import dev.contrail.cli.drill.account.Run;
import dev.contrail.cli.drill.place.Crew;
import dev.contrail.cli.drill.place.Observer;
import dev.contrail.cli.drill.place.Waiting;
import dev.contrail.cli.drill.place.WorkerProcess;
import dev.contrail.cli.drill.place.Workplace;
import dev.contrail.cli.drill.report.Moment;
import dev.contrail.cli.drill.report.ScenarioResult;
import dev.contrail.cli.drill.report.Timeline;
import dev.contrail.cli.drill.report.Timing;
import dev.contrail.cli.drill.worker.Point;
import dev.contrail.cli.drill.worker.RunLine.What;
import dev.contrail.cli.drill.worker.WorkerOrders;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.policy.RetryPolicy;
import io.nats.client.api.ConsumerConfiguration;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Where a scenario is played: its workplace, its processes, and what is noted meanwhile. */
final class Stage implements AutoCloseable {
  private static final Duration QUIET = Duration.ofMinutes(5);
  private static final String STOOD_STILL = "STOOD_STILL";
  private static final String LEASE_LOST = "LEASE_LOST";

  private final Workplace place;
  private final Extent extent;
  private final SplittableRandom random;
  private final Crew crew;
  private final Observer observer;
  private final Timeline timeline;
  private final List<Breach> breaches = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private Optional<Timing> known = Optional.empty();

  Stage(Workplace place, Extent extent, SplittableRandom random, Consumer<String> listener) {
    this.timeline = new Timeline(Clock.systemUTC(), listener);
    this.place = place;
    this.extent = extent;
    this.random = random;
    this.crew = new Crew(place);
    this.observer = Observer.of(place, Clock.systemUTC());
  }

  Workplace place() {
    return place;
  }

  Extent extent() {
    return extent;
  }

  SplittableRandom random() {
    return random;
  }

  Crew crew() {
    return crew;
  }

  Observer observer() {
    return observer;
  }

  FactsReader reader() {
    return new FactsReader(place, crew, observer);
  }

  /** A worker of Contrail as most scenarios have it. */
  WorkerOrders orders() {
    return place.orders(WorkerOrders.Role.CONTRAIL, 4, Duration.ofMillis(5));
  }

  WorkerProcess start(WorkerOrders orders) {
    WorkerProcess worker = crew.start(orders);
    timeline.add(Moment.Kind.STEP, "worker " + crew.all().size() + " starts");
    return worker;
  }

  /** Kills it wherever it is. */
  void kill(WorkerProcess worker, String where) throws InterruptedException {
    worker.kill();
    killed("worker killed " + where);
  }

  /** Starts a worker, has it killed at that point, and tells of which message it was. */
  String killAt(WorkerOrders orders, Point point, int nth) throws InterruptedException {
    WorkerProcess worker = start(orders.at(point, nth));
    String subject = worker.awaitAt(point);
    if (point.isAfter()) {
      awaitTaken(worker);
    }
    kill(worker, point.words());
    return subject;
  }

  /** What was sent has been read by the server when nothing of it is under way any more. */
  private void awaitTaken(WorkerProcess worker) throws InterruptedException {
    String at = worker.first(What.AT).orElseThrow().detail();
    String subject = at.substring(at.indexOf(' ') + 1);
    long sequence = AckedMessage.sequence(subject, place.stream());
    if (sequence > 0) {
      var unused = Waiting.until(Duration.ofSeconds(5), () -> reader().isAnswered(sequence));
    }
  }

  /** Starts a worker and kills it after it began with a few messages. */
  void killAtRandom(WorkerOrders orders, int most) throws InterruptedException {
    WorkerProcess worker = start(orders);
    int runs = 1 + random.nextInt(Math.max(1, most));
    var unused =
        Waiting.until(
            QUIET,
            () ->
                worker.lines().stream().filter(line -> line.what() == What.START).count() >= runs
                    || !worker.isAlive()
                    || (worker.first(What.UP).isPresent() && place.isSettled()));
    Waiting.pass(Duration.ofMillis(random.nextInt(20)));
    kill(worker, "at random");
  }

  void step(String what) {
    timeline.add(Moment.Kind.STEP, what);
  }

  void fault(String what) {
    timeline.recovering();
    timeline.add(Moment.Kind.FAULT, what);
  }

  void killed(String what) {
    timeline.recovering();
    timeline.add(Moment.Kind.KILL, what);
  }

  void back(String what) {
    timeline.add(Moment.Kind.BACK, what);
  }

  /** Nothing can recover before it is over. */
  void outage(String what) {
    timeline.add(Moment.Kind.FAULT, what);
  }

  void outageOver(String what) {
    timeline.recovering();
    timeline.add(Moment.Kind.BACK, what);
  }

  void breach(Promise promise, String what, String example) {
    breaches.add(new Breach(promise, what, example));
  }

  /** What workers go by that are not Contrail's. */
  void timing(Timing other) {
    known = Optional.of(other);
  }

  void note(String sentence) {
    notes.add(sentence);
  }

  /**
   * Whether a worker stood still for longer than its lease, as on a machine that is too busy: what
   * is delivered again then says nothing about outages.
   */
  boolean stoodStill() {
    return crew.all().stream()
        .flatMap(worker -> worker.lines().stream())
        .anyMatch(
            line ->
                line.what() == What.NOTICE
                    && Set.of(STOOD_STILL, LEASE_LOST).contains(line.detail()));
  }

  /** Waits until all is accounted for; returns whether it is. */
  boolean awaitQuiet() throws InterruptedException {
    boolean quiet = Waiting.until(QUIET, () -> place.isSettled() && isAccountedFor());
    timeline.add(
        Moment.Kind.QUIET,
        quiet ? "all accounted for" : "not quiet after " + QUIET.toSeconds() + " s");
    return quiet;
  }

  /** A server that has just come back may not answer yet. */
  private boolean isAccountedFor() throws InterruptedException {
    try {
      return reader().isAccountedFor();
    } catch (ContrailException e) {
      return false;
    }
  }

  /** The same for workers that keep no ledger. */
  boolean awaitSettled() throws InterruptedException {
    boolean quiet = Waiting.until(QUIET, place::isSettled);
    timeline.add(Moment.Kind.QUIET, "nothing left to deliver");
    return quiet;
  }

  /** Ends all workers in order. */
  void drain() throws InterruptedException {
    for (WorkerProcess worker : crew.all()) {
      if (worker.isAlive()) {
        worker.drain();
      }
    }
  }

  ScenarioResult result(String scenario, String title, String what, Facts facts) {
    Account account = Reckoning.of(facts);
    Account all = account.with(breaches);
    return ScenarioResult.of(
        scenario,
        title,
        what,
        all,
        new ScenarioResult.Course(
            timeline.count(Moment.Kind.KILL),
            timeline.count(Moment.Kind.KILL) + timeline.count(Moment.Kind.FAULT),
            Recovery.of(facts, timeline.recoveries()),
            Recovery.recordAges(facts),
            (timeline.micros() - timeline.began()) / 1_000,
            List.copyOf(notes),
            timeline.moments(),
            doneMillis(facts),
            known.orElseGet(this::timing)));
  }

  /** As it is configured on the server. */
  private Timing timing() {
    ConsumerConfiguration consumer = place.consumer().getConsumerConfiguration();
    Duration ackWait = consumer.getAckWait() == null ? Duration.ZERO : consumer.getAckWait();
    return new Timing(
        ackWait.toMillis(),
        Stream.concat(
                Stream.of(ackWait, RetryPolicy.DEFAULT.longestDelay()),
                consumer.getBackoff().stream())
            .mapToLong(Duration::toMillis)
            .max()
            .orElse(0),
        place.configuration(place.names().ledgerStream()).getMaxAge().toMillis());
  }

  private List<Long> doneMillis(Facts facts) {
    Map<Long, Long> first = new LinkedHashMap<>();
    facts.runs().stream()
        .filter(Run::isDone)
        .forEach(run -> first.merge(run.number(), run.endMicros(), Math::min));
    long[] times =
        first.values().stream().mapToLong(at -> (at - timeline.began()) / 1_000).sorted().toArray();
    return Arrays.stream(times).boxed().toList();
  }

  @Override
  public void close() {
    crew.close();
    observer.close();
  }
}
