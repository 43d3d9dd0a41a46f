package dev.contrail.cli.sim;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.output.Table;
import dev.contrail.simulation.Campaign;
import dev.contrail.simulation.Invariant;
import dev.contrail.simulation.Mutant;
import dev.contrail.simulation.SimulationResult;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Shows what came of simulations. */
final class SimScreen {
  private static final int LAST_EVENTS = 60;
  private static final double NANOS_PER_SECOND = 1e9;

  private record MutantLine(String name, String meaning) {}

  private record Failure(
      long seed,
      String invariant,
      String meaning,
      String what,
      String scenario,
      List<String> trace) {
    static Failure of(SimulationResult result) {
      return new Failure(
          result.seed(),
          result.broken().map(Invariant::label).orElse(""),
          result.broken().map(Invariant::meaning).orElse(""),
          result.what(),
          result.scenario(),
          result.lastEvents(LAST_EVENTS));
    }
  }

  private record One(
      long seed,
      boolean ok,
      Optional<String> invariant,
      String what,
      String scenario,
      List<String> trace) {}

  private record Many(
      long from,
      long runs,
      Optional<String> mutant,
      long done,
      long failed,
      double seconds,
      List<Failure> failures) {}

  private final PrintWriter out;
  private final Surroundings surroundings;
  private final boolean json;

  SimScreen(Surroundings surroundings, boolean json) {
    this.surroundings = surroundings;
    this.out = surroundings.out();
    this.json = json;
  }

  void mutants() {
    List<MutantLine> lines =
        Arrays.stream(Mutant.values()).map(it -> new MutantLine(it.label(), it.meaning())).toList();
    if (json) {
      Json.write(out, lines);
      return;
    }
    Table table = new Table().wholeColumn("MUTANT").column("WHAT IS WRONG");
    lines.forEach(line -> table.row(line.name(), line.meaning()));
    out.print(table.render(surroundings.terminal()));
    out.flush();
  }

  int one(SimulationResult result) {
    boolean ok = result.broken().isEmpty();
    if (json) {
      Json.write(
          out,
          new One(
              result.seed(),
              ok,
              result.broken().map(Invariant::label),
              result.what(),
              result.scenario(),
              result.trace()));
    } else {
      result.trace().forEach(out::println);
      out.println();
      out.println(ok ? "seed " + result.seed() + ": no promise was broken" : sentence(result));
      out.flush();
    }
    return ok ? ExitCode.FINE : ExitCode.FAILED;
  }

  int many(Campaign campaign, Campaign.Report report, long nanos) {
    double seconds = nanos / NANOS_PER_SECOND;
    if (json) {
      Json.write(
          out,
          new Many(
              campaign.from(),
              campaign.runs(),
              campaign.mutant().map(Mutant::label),
              report.done(),
              report.failed(),
              Math.round(seconds * 100) / 100.0,
              report.failures().stream().map(Failure::of).toList()));
    } else {
      tell(campaign, report, seconds);
    }
    return report.failed() == 0 ? ExitCode.FINE : ExitCode.FAILED;
  }

  private void tell(Campaign campaign, Campaign.Report report, double seconds) {
    if (!report.failures().isEmpty()) {
      SimulationResult first = report.failures().get(0);
      first.lastEvents(LAST_EVENTS).forEach(out::println);
      out.println();
      report.failures().forEach(failure -> out.println(sentence(failure)));
      out.println(
          "see all of it with: contrail sim --seed "
              + first.seed()
              + campaign.mutant().map(it -> " --mutant " + it.label()).orElse(""));
    }
    out.printf(
        Locale.ROOT,
        "%,d schedules in %.1f s (%,.0f a second), %s%n",
        report.done(),
        seconds,
        report.done() / Math.max(seconds, 0.001),
        report.failed() == 0
            ? "no promise was broken"
            : String.format(Locale.ROOT, "%,d broke a promise", report.failed()));
    out.flush();
  }

  private static String sentence(SimulationResult result) {
    Invariant broken = result.broken().orElseThrow();
    return "seed "
        + result.seed()
        + " breaks “"
        + broken.meaning()
        + "” ("
        + broken.label()
        + "): "
        + result.what();
  }
}
