package dev.contrail.cli.drill.own;

import dev.contrail.cli.drill.account.Breach;
import dev.contrail.cli.drill.account.FactsReader;
import dev.contrail.cli.drill.account.Letter;
import dev.contrail.cli.drill.account.Promise;
import dev.contrail.cli.drill.place.Crew;
import dev.contrail.cli.drill.place.Observer;
import dev.contrail.cli.drill.place.Site;
import dev.contrail.cli.drill.place.Waiting;
import dev.contrail.cli.drill.place.Workplace;
import dev.contrail.cli.drill.report.Moment;
import dev.contrail.cli.drill.report.ScenarioResult;
import dev.contrail.cli.drill.report.Timeline;
import dev.contrail.cli.drill.report.Timing;
import dev.contrail.cli.drill.scenario.Extent;
import io.nats.client.api.RetentionPolicy;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Drills the worker that the user's command starts: kills it at random, and starts it again. */
public final class OwnRun {
  private static final Duration PROGRESS = Duration.ofMinutes(2);
  private static final Duration QUIET = Duration.ofMinutes(5);
  private static final int KILLS = 5;
  private static final String COUNT = "{{Count}}";

  private final String command;
  private final String body;
  private final Path folder;
  private final Extent extent;
  private final Timeline timeline;
  private final List<Breach> breaches = new ArrayList<>();

  /**
   * A drill.
   *
   * @param body of the messages; {@code {{Count}}} is the number of each
   * @param folder where the command is run
   * @param listener is told what happens
   */
  public OwnRun(
      String command, String body, Path folder, Extent extent, Consumer<String> listener) {
    this.command = command;
    this.body = body;
    this.folder = folder;
    this.extent = extent;
    this.timeline = new Timeline(Clock.systemUTC(), listener);
  }

  /**
   * Drills, and deletes all that was stored.
   *
   * @param name first part of the names of all that is stored, which nothing else begins with
   */
  public ScenarioResult play(Site site, String name) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(extent.seed());
    Path runs = site.scratch().resolve(name + ".runs");
    try (Workplace place =
            Workplace.open(
                site, name, RetentionPolicy.WorkQueue, extent.ackWait(), random.split());
        Observer observer = Observer.of(place, Clock.systemUTC())) {
      disturb(place, runs, random);
      boolean settled;
      try (OwnWorker last = start(place, runs)) {
        settled = Waiting.until(QUIET, () -> place.isSettled() || !last.isAlive());
        if (!last.isAlive() && !place.isSettled() && breaches.isEmpty()) {
          gaveUp(last);
        }
        timeline.add(Moment.Kind.QUIET, settled ? "nothing left to deliver" : "not quiet");
      }
      return result(facts(place, observer, runs, settled && place.isSettled()));
    }
  }

  private void disturb(Workplace place, Path runs, SplittableRandom random)
      throws InterruptedException {
    int kills = extent.kills().orElse(KILLS);
    int batch = Math.max(4, extent.messages() / (kills + 1));
    publish(place, batch);
    for (int i = 0; i < kills; i++) {
      publish(place, batch);
      try (OwnWorker worker = start(place, runs)) {
        long answered = answered(place) + 1 + random.nextInt(batch);
        boolean progress =
            Waiting.until(PROGRESS, () -> answered(place) >= answered || !worker.isAlive());
        if (!worker.isAlive()) {
          gaveUp(worker);
          return;
        }
        if (!progress) {
          breaches.add(
              new Breach(
                  Promise.NOTHING_LOST,
                  "the worker answered for too few messages within two minutes",
                  "of " + place.published().size() + " " + answered(place) + " are settled"));
          return;
        }
        Waiting.pass(Duration.ofMillis(random.nextInt(100)));
        worker.kill();
        timeline.recovering();
        timeline.add(Moment.Kind.KILL, "worker killed at random");
      }
    }
  }

  private void gaveUp(OwnWorker worker) {
    timeline.add(Moment.Kind.FAULT, "the worker ended by itself");
    breaches.add(
        new Breach(Promise.NOTHING_LOST, "the worker ended by itself", worker.lastWords()));
  }

  private OwnWorker start(Workplace place, Path runs) {
    timeline.add(Moment.Kind.STEP, "worker starts");
    return OwnWorker.start(command, place, folder, runs);
  }

  /** How many messages are gone from the stream. */
  private static long answered(Workplace place) {
    return place.published().size() - place.messages(place.stream());
  }

  private void publish(Workplace place, int count) {
    for (int i = 0; i < count; i++) {
      place.work().publish(body.replace(COUNT, Long.toString(place.published().size() + 1L)));
    }
  }

  private static OwnFacts facts(Workplace place, Observer observer, Path runs, boolean settled)
      throws InterruptedException {
    FactsReader reader = new FactsReader(place, new Crew(place), observer);
    Map<Long, Letter> letters = reader.letters(new ArrayList<>());
    String sampled = place.consumer().getConsumerConfiguration().getSampleFrequency();
    return new OwnFacts(
        place.published(),
        Reports.read(runs),
        observer.acked(),
        observer.terminated(),
        sampled != null && !sampled.isEmpty(),
        letters,
        reader.completed(),
        reader.present(),
        settled);
  }

  private ScenarioResult result(OwnFacts facts) {
    OwnReckoning.Result result = OwnReckoning.of(facts);
    List<Long> acks =
        facts.acked().values().stream()
            .map(ack -> (ack.micros() - timeline.began()) / 1_000)
            .sorted()
            .toList();
    return ScenarioResult.of(
        "own",
        "Your own worker",
        "The worker that “"
            + command
            + "” starts is killed with SIGKILL at random, with all that it started, and started"
            + " again.",
        result.account().with(breaches),
        new ScenarioResult.Course(
            timeline.count(Moment.Kind.KILL),
            timeline.count(Moment.Kind.KILL) + timeline.count(Moment.Kind.FAULT),
            recoveries(acks),
            List.of(),
            (timeline.micros() - timeline.began()) / 1_000,
            result.notes(),
            timeline.moments(),
            acks,
            new Timing(
                extent.ackWait().toMillis(), extent.ackWait().toMillis(), Timing.NOT_KNOWN)));
  }

  /** From each kill until the next ack. */
  private List<Long> recoveries(List<Long> acks) {
    List<Long> recoveries = new ArrayList<>();
    for (long killed : timeline.recoveries()) {
      long at = (killed - timeline.began()) / 1_000;
      acks.stream().filter(ack -> ack > at).findFirst().ifPresent(ack -> recoveries.add(ack - at));
    }
    return recoveries;
  }
}
