package dev.contrail.cli.sim;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Logs;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Progress;
import dev.contrail.simulation.Campaign;
import dev.contrail.simulation.Mutant;
import dev.contrail.simulation.Simulation;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** {@code contrail sim}: Contrail's own code on a model of JetStream, while everything fails. */
@Command(
    name = "sim",
    header = "Run Contrail on a model of JetStream while everything fails",
    customSynopsis = {
      "@|bold contrail sim|@ [--runs N] [--from SEED] [--keep-going] [--mutant NAME]",
      "       @|bold contrail sim|@ --seed N [--mutant NAME]",
      "       @|bold contrail sim|@ --list-mutants"
    },
    description =
        "Runs random schedules of workers, crashes, lost answers, outages, frozen processes and server restarts in"
            + " virtual time, and checks after every step that no promise is broken. A seed decides all of a schedule."
            + " No server is needed. Exits with 1 at the first promise that breaks.",
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail sim                          10,000 schedules",
      "  contrail sim --runs 1000000           more of them",
      "  contrail sim --seed 4711              one of them, event by event",
      "  contrail sim --mutant term-first      with a wrong order put in: it is noticed"
    })
public final class SimCommand implements Callable<Integer> {
  private static final long DEFAULT_RUNS = 10_000;

  private final Surroundings surroundings;
  private final BooleanSupplier json;

  @Option(
      names = "--seed",
      paramLabel = "N",
      converter = Seed.class,
      description = "run the schedule of this seed alone, and show its events")
  private @Nullable Long seed;

  @Option(
      names = "--runs",
      paramLabel = "N",
      converter = Runs.class,
      description = "how many schedules (10,000)")
  private @Nullable Long runs;

  @Option(
      names = "--from",
      paramLabel = "SEED",
      converter = Seed.class,
      description = "the first seed; the others follow it (0)")
  private @Nullable Long from;

  @Option(
      names = "--keep-going",
      fallbackValue = "true",
      description = "go on after a promise broke")
  private boolean keepGoing;

  @Option(
      names = "--mutant",
      paramLabel = "NAME",
      converter = MutantName.class,
      description = "put something wrong in, to see it noticed; --list-mutants names them")
  private @Nullable Mutant mutant;

  @Option(
      names = "--list-mutants",
      fallbackValue = "true",
      description = "list what can be wrong, and run nothing")
  private boolean listMutants;

  public SimCommand(Surroundings surroundings, BooleanSupplier json) {
    this.surroundings = surroundings;
    this.json = json;
  }

  @Override
  public Integer call() {
    Logs.showNothing();
    SimScreen screen = new SimScreen(surroundings, json.getAsBoolean());
    if (listMutants) {
      screen.mutants();
      return ExitCode.FINE;
    }
    if (seed != null) {
      return one(screen, seed);
    }
    return many(screen);
  }

  private int one(SimScreen screen, long of) {
    if (runs != null || from != null || keepGoing) {
      throw CommandFailure.usage(
          "--seed runs one schedule: --runs, --from and --keep-going are for many");
    }
    return screen.one(Simulation.replay(of, Optional.ofNullable(mutant)));
  }

  private int many(SimScreen screen) {
    Campaign campaign =
        new Campaign(
            from == null ? 0 : from,
            runs == null ? DEFAULT_RUNS : runs,
            Optional.ofNullable(mutant),
            keepGoing);
    long began = System.nanoTime();
    try (Progress progress =
        Progress.withRate(
            surroundings.err(),
            surroundings.terminal(),
            "schedules",
            campaign.runs(),
            System::nanoTime)) {
      Campaign.Report report =
          campaign.run(Runtime.getRuntime().availableProcessors(), progress::done);
      progress.close();
      return screen.many(campaign, report, System.nanoTime() - began);
    } catch (InterruptedException e) {
      throw CommandFailure.failed("ended before it was done", e);
    }
  }

  /** A number of that size. */
  abstract static class LongValue implements ITypeConverter<Long> {
    private final long least;

    LongValue(long least) {
      this.least = least;
    }

    @Override
    public final Long convert(String text) {
      try {
        long number = Long.parseLong(text.strip().replace("_", ""));
        if (number >= least && number <= Long.MAX_VALUE / 2) {
          return number;
        }
      } catch (NumberFormatException e) {
        throw new BadValueException("'" + text + "' is no whole number; accepted is " + accepted());
      }
      throw new BadValueException("'" + text + "' is out of range; accepted is " + accepted());
    }

    private String accepted() {
      return least + " to " + Long.MAX_VALUE / 2;
    }
  }

  static final class Seed extends LongValue {
    Seed() {
      super(0);
    }
  }

  static final class Runs extends LongValue {
    Runs() {
      super(1);
    }
  }

  static final class MutantName implements ITypeConverter<Mutant> {
    @Override
    public Mutant convert(String text) {
      return Mutant.labelled(text)
          .orElseThrow(
              () ->
                  new BadValueException(
                      "there is no mutant '"
                          + text
                          + "'; accepted is "
                          + Arrays.stream(Mutant.values())
                              .map(Mutant::label)
                              .collect(Collectors.joining(", "))));
    }
  }
}
