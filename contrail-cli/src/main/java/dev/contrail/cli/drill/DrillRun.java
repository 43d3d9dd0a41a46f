package dev.contrail.cli.drill;

import dev.contrail.cli.drill.own.OwnRun;
import dev.contrail.cli.drill.place.DrillException;
import dev.contrail.cli.drill.place.Site;
import dev.contrail.cli.drill.report.DrillReport;
import dev.contrail.cli.drill.report.ScenarioResult;
import dev.contrail.cli.drill.scenario.Extent;
import dev.contrail.cli.drill.scenario.Naive;
import dev.contrail.cli.drill.scenario.Scenario;
import dev.contrail.cli.drill.scenario.ScenarioRun;
import io.nats.client.Connection;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Drills scenarios side by side: most of the time each of them waits. */
final class DrillRun {
  private static final int AT_ONCE = 3;
  private static final Duration END = Duration.ofSeconds(60);

  private final DrillSites sites;
  private final Optional<Supplier<Site>> named;
  private final Optional<Path> program;
  private final Extent extent;
  private final DrillScreen screen;
  private final Clock clock = Clock.systemUTC();
  private final String run =
      "contrail_drill_"
          + Integer.toString(new SplittableRandom().nextInt(36 * 36 * 36, 36 * 36 * 36 * 36), 36);

  /**
   * A drill.
   *
   * @param named the server that was named, if one was
   */
  DrillRun(
      DrillSites sites,
      Optional<Supplier<Site>> named,
      Optional<Path> program,
      Extent extent,
      DrillScreen screen) {
    this.sites = sites;
    this.named = named;
    this.program = program;
    this.extent = extent;
    this.screen = screen;
  }

  /**
   * Drills scenarios.
   *
   * @param length how long rounds are begun; one round if empty
   */
  DrillReport scenarios(List<Scenario> chosen, Optional<Duration> length)
      throws InterruptedException {
    Instant began = clock.instant();
    Site site = site();
    List<ScenarioResult> results = new ArrayList<>();
    int round = 0;
    do {
      round++;
      List<ScenarioResult> next = round(site, chosen, round);
      for (int i = 0; i < next.size(); i++) {
        if (round == 1) {
          results.add(next.get(i));
        } else {
          results.set(i, results.get(i).plus(next.get(i)));
        }
      }
    } while (length.isPresent() && clock.instant().isBefore(began.plus(length.get())));
    return report(site, "contrail", began, results);
  }

  DrillReport naive(Naive naive) throws InterruptedException {
    Instant began = clock.instant();
    Site site = site();
    screen.begin(1);
    ScenarioResult result = new ScenarioRun(site, run, extent, screen::happened).play(naive);
    screen.ended(DrillTables.line(result));
    return report(site, naive.text(), began, List.of(result));
  }

  /**
   * Drills a worker of the user's own.
   *
   * @param folder where the command is run
   */
  DrillReport own(String command, String body, Path folder) throws InterruptedException {
    Instant began = clock.instant();
    Site site = site();
    screen.begin(1);
    ScenarioResult result =
        new OwnRun(command, body, folder, extent, what -> screen.happened("own", what))
            .play(site, run + "_own");
    screen.ended(DrillTables.line(result));
    return report(site, command, began, List.of(result));
  }

  private Site site() {
    Site site = named.isPresent() ? named.get().get() : sites.own(program);
    screen.say(
        "drilling on "
            + (site.server().isPresent() ? "a nats-server of its own at " : "")
            + site.shown()
            + ", seed "
            + extent.seed());
    return site;
  }

  private List<ScenarioResult> round(Site site, List<Scenario> chosen, int round)
      throws InterruptedException {
    screen.begin(chosen.size());
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
    try {
      List<Future<ScenarioResult>> plays =
          chosen.stream().map(it -> threads.submit(() -> play(site, it, round))).toList();
      List<ScenarioResult> results = new ArrayList<>();
      for (Future<ScenarioResult> play : plays) {
        results.add(result(play));
      }
      return results;
    } finally {
      // Each of them deletes its streams before it ends.
      threads.shutdownNow();
      awaitEnd(threads);
    }
  }

  private ScenarioResult play(Site site, Scenario scenario, int round) throws InterruptedException {
    ScenarioResult result;
    if (scenario.killsServer() && site.server().isEmpty()) {
      result =
          ScenarioResult.skipped(
              scenario.text(),
              scenario.title(),
              scenario.what(),
              "it kills the server, which is done to a server of the drill's own alone");
    } else {
      // One that kills its server has a server to itself.
      Site own = scenario.killsServer() ? sites.own(program) : site;
      result = new ScenarioRun(own, run, extent, screen::happened).play(scenario, round);
    }
    screen.ended(DrillTables.line(result));
    return result;
  }

  private static ScenarioResult result(Future<ScenarioResult> play) throws InterruptedException {
    try {
      return play.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof InterruptedException) {
        throw new InterruptedException();
      }
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new DrillException(String.valueOf(e.getCause()), e);
    }
  }

  private static void awaitEnd(ExecutorService threads) {
    boolean interrupted = false;
    long end = System.nanoTime() + END.toNanos();
    while (!threads.isTerminated() && System.nanoTime() - end < 0) {
      try {
        var unused = threads.awaitTermination(1, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private DrillReport report(Site site, String worker, Instant began, List<ScenarioResult> results)
      throws InterruptedException {
    String version;
    try (Connection connection = site.connections().get()) {
      version = connection.getServerInfo().getVersion();
    }
    return DrillReport.of(
        new DrillReport.Circumstances(
            began,
            "contrail",
            worker,
            site.shown(),
            version,
            site.server().isPresent(),
            extent.seed()),
        Duration.between(began, clock.instant()),
        results);
  }
}
