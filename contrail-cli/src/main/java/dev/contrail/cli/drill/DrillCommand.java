package dev.contrail.cli.drill;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.EndInOrder;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Logs;
import dev.contrail.cli.command.ProgramOptions;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.connect.Connections;
import dev.contrail.cli.drill.place.DrillException;
import dev.contrail.cli.drill.report.DrillReport;
import dev.contrail.cli.drill.report.ReportFiles;
import dev.contrail.cli.drill.report.ScenarioResult.Verdict;
import dev.contrail.cli.drill.scenario.Extent;
import dev.contrail.cli.drill.scenario.Naive;
import dev.contrail.cli.drill.scenario.Scenario;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.output.Table;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.server.NatsServerException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code contrail drill}: kills workers, and counts what became of their work. */
@Command(
    name = "drill",
    header = "Kill workers, stores and servers, and see that nothing is lost",
    customSynopsis = "@|bold contrail drill|@ [--scenario NAME]… [--own 'COMMAND'] [OPTIONS]",
    description = {
      "Starts real worker processes, gives them numbered work, kills them with SIGKILL at named"
          + " points and at random, and accounts for every number by evidence from outside. Ends"
          + " with a table and a report. Exits with 1 when a promise broke.",
      "Runs on a nats-server of its own unless a server or context is named; there it makes streams"
          + " whose names begin with CONTRAIL_DRILL_ and deletes them at the end."
    },
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail drill                              every scenario, a few minutes",
      "  contrail drill --scenario evidence --kills 20",
      "  contrail drill --quick -s nats://10.0.0.5   on your own server",
      "  contrail drill --naive term-first           what happens in the wrong order",
      "  contrail drill --own './worker.sh'          your own worker; see docs/drills.md"
    })
final class DrillCommand implements Callable<Integer> {
  private static final String DEFAULT_BODY = "{\"number\": {{Count}}}";
  private static final int MESSAGES = 200;
  private static final int QUICK_MESSAGES = 40;

  private final Surroundings surroundings;
  private final Supplier<Connections> connections;
  private final Supplier<Session> sessions;
  private final ProgramOptions options;

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      converter = DrillValues.ScenarioValue.class,
      description = "only this one; may be given several times (all; --list tells which there are)")
  private List<Scenario> scenarios = List.of();

  @Option(names = "--list", fallbackValue = "true", description = "tell which scenarios there are")
  private boolean list;

  @Option(
      names = "--naive",
      paramLabel = "term-first|ack-first|ttl",
      converter = DrillValues.NaiveValue.class,
      description = "drill a bare client with this order of steps, to see it caught")
  private @Nullable Naive naive;

  @Option(
      names = "--own",
      paramLabel = "COMMAND",
      description = "drill the worker that this command starts, see docs/drills.md")
  private @Nullable String own;

  @Option(
      names = "--body",
      paramLabel = "TEXT",
      defaultValue = DEFAULT_BODY,
      description = "with --own: the messages' payload; {{Count}} is the number of each")
  private String body = DEFAULT_BODY;

  @Option(
      names = "--messages",
      paramLabel = "N",
      converter = DrillValues.Messages.class,
      description = "messages in each scenario, about (200; 40 with --quick)")
  private @Nullable Integer messages;

  @Option(
      names = "--kills",
      paramLabel = "N",
      converter = DrillValues.Kills.class,
      description = "kills in each scenario (each point once, and as often again)")
  private @Nullable Integer kills;

  @Option(
      names = "--ack-wait",
      paramLabel = "DURATION",
      defaultValue = "2s",
      converter = DrillValues.AckWait.class,
      description = "AckWait of the drill's consumers (2s)")
  private Duration ackWait = Duration.ofSeconds(2);

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      converter = DrillValues.Length.class,
      description = "begin with another round until this much time is over (one round)")
  private @Nullable Duration length;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "chooses the same kills and payloads again")
  private @Nullable Long seed;

  @Option(
      names = "--quick",
      fallbackValue = "true",
      description = "fewer messages, and each point once")
  private boolean quick;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "where to write drill-<time>.html, .json and .md (here)")
  private Path out = Path.of(".");

  @Option(
      names = "--nats-server",
      paramLabel = "PATH",
      description = "the program to run if no server is named (as in contrail demo)")
  private @Nullable Path program;

  DrillCommand(
      Surroundings surroundings,
      Supplier<Connections> connections,
      Supplier<Session> sessions,
      ProgramOptions options) {
    this.surroundings = surroundings;
    this.connections = connections;
    this.sessions = sessions;
    this.options = options;
  }

  @Override
  public Integer call() {
    Logs.showNothing();
    if (list) {
      return list();
    }
    if (own != null && (naive != null || !scenarios.isEmpty())) {
      throw CommandFailure.usage(
          "--own with --naive or --scenario: a worker of your own is killed at random, and drilled"
              + " alone");
    }
    if (own != null && own.isBlank()) {
      throw CommandFailure.usage("--own: accepted is a command that starts a worker");
    }
    if (naive != null && !scenarios.isEmpty()) {
      throw CommandFailure.usage(
          "--naive and --scenario: accepted is one of them; --naive "
              + naive.text()
              + " is drilled with what catches it");
    }
    ReportFiles files = ReportFiles.in(surroundings.folder().resolve(out));
    DrillReport report;
    try (EndInOrder end = EndInOrder.onSignals()) {
      report = drilled(end);
    }
    files.write(report);
    if (options.json()) {
      Json.write(surroundings.out(), report);
    } else {
      new DrillTables(surroundings).print(report);
    }
    say("report written to " + files);
    return report.verdict() == Verdict.BROKEN ? ExitCode.FAILED : ExitCode.FINE;
  }

  private DrillReport drilled(EndInOrder end) {
    boolean named = connections.get().nameServer();
    try (DrillSites sites = DrillSites.open(surroundings);
        DrillScreen screen = new DrillScreen(surroundings)) {
      DrillRun run =
          new DrillRun(
              sites,
              named ? Optional.of(() -> sites.named(sessions, url(), flags())) : Optional.empty(),
              Optional.ofNullable(program),
              extent(),
              screen);
      if (own != null) {
        return run.own(own, body, surroundings.folder());
      }
      return naive == null
          ? run.scenarios(chosen(), Optional.ofNullable(length))
          : run.naive(naive);
    } catch (DrillException | NatsServerException | ContrailException | InterruptedException e) {
      throw CommandFailure.failed(
          end.isAsked() ? "ended before it was done" : String.valueOf(e.getMessage()), e);
    }
  }

  private List<Scenario> chosen() {
    return scenarios.isEmpty()
        ? List.of(Scenario.values())
        : List.copyOf(new LinkedHashSet<>(scenarios));
  }

  private List<String> flags() {
    List<String> flags = new ArrayList<>(connections.get().flags());
    options.config().ifPresent(file -> flags.addAll(List.of("--config", file)));
    return flags;
  }

  private String url() {
    return String.join(",", connections.get().settings().servers());
  }

  private Extent extent() {
    return new Extent(
        messages == null ? quick ? QUICK_MESSAGES : MESSAGES : messages,
        kills == null ? OptionalInt.empty() : OptionalInt.of(kills),
        quick,
        ackWait,
        seed == null ? new SplittableRandom().nextInt(1, 1_000_000) : seed);
  }

  private int list() {
    if (options.json()) {
      Json.write(
          surroundings.out(),
          Arrays.stream(Scenario.values())
              .map(it -> new Listed(it.text(), it.title(), it.what(), it.killsServer()))
              .toList());
      return ExitCode.FINE;
    }
    Table table = new Table().wholeColumn("SCENARIO").column("WHAT IT DOES");
    Arrays.stream(Scenario.values()).forEach(it -> table.row(it.text(), it.what()));
    surroundings.out().print(table.render(surroundings.terminal()));
    surroundings.out().flush();
    return ExitCode.FINE;
  }

  private record Listed(String scenario, String title, String what, boolean needsOwnServer) {}

  private void say(String line) {
    surroundings.err().println("contrail: " + line);
    surroundings.err().flush();
  }
}
