package dev.contrail.cli.drill.scenario;

import dev.contrail.cli.drill.account.Facts;
import dev.contrail.cli.drill.place.Site;
import dev.contrail.cli.drill.place.Workplace;
import dev.contrail.cli.drill.report.ScenarioResult;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;

/** Plays scenarios at a site. */
public final class ScenarioRun {
  private final Site site;
  private final String run;
  private final Extent extent;
  private final BiConsumer<String, String> listener;

  /**
   * At that site.
   *
   * @param run first part of the names of all that is stored, which nothing else begins with
   * @param listener is told in which scenario what happens
   */
  public ScenarioRun(Site site, String run, Extent extent, BiConsumer<String, String> listener) {
    this.site = site;
    this.run = run;
    this.extent = extent;
    this.listener = listener;
  }

  /**
   * Plays one, and deletes all that it stored.
   *
   * @param round of it, from 1
   */
  public ScenarioResult play(Scenario scenario, int round) throws InterruptedException {
    SplittableRandom random =
        new SplittableRandom(extent.seed() * 31 + scenario.text().hashCode() * 1_000L + round);
    try (Workplace place =
            Workplace.open(
                site,
                run + "_" + scenario.text(),
                scenario.retention(),
                extent.ackWait(),
                random.split());
        Stage stage =
            new Stage(place, extent, random, what -> listener.accept(scenario.text(), what))) {
      scenario.script().play(stage);
      boolean settled = stage.awaitQuiet();
      scenario.script().check(stage);
      stage.drain();
      Facts facts = stage.reader().read(settled);
      return stage.result(scenario.text(), scenario.title(), scenario.what(), facts);
    }
  }

  /** Plays the scenario that an order of steps other than Contrail's does not survive. */
  public ScenarioResult play(Naive naive) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(extent.seed());
    try (Workplace place =
            Workplace.open(
                site,
                run + "_" + naive.scenario().text(),
                naive.scenario().retention(),
                extent.ackWait(),
                random.split());
        Stage stage =
            new Stage(place, extent, random, what -> listener.accept(naive.text(), what))) {
      return naive.play(stage);
    }
  }
}
