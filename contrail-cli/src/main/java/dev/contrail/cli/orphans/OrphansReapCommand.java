package dev.contrail.cli.orphans;

import dev.contrail.Durations;
import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.DurationValue;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.NatsNames;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.StopRequest;
import dev.contrail.cli.output.Progress;
import dev.contrail.cli.replay.HowOptions;
import dev.contrail.cli.replay.Person;
import dev.contrail.cli.replay.Tools;
import dev.contrail.operations.orphans.OrphanClass;
import dev.contrail.operations.orphans.ReapPlan;
import dev.contrail.operations.orphans.ReapPlan.Fate;
import dev.contrail.operations.orphans.ReapReport;
import dev.contrail.operations.orphans.Reaper;
import dev.contrail.plan.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code contrail orphans reap}: takes messages away that nobody takes. */
@Command(
    name = "reap",
    header = "Take messages away that nobody takes, evidence first",
    customSynopsis =
        "@|bold contrail orphans reap|@ --older-than DURATION [--to-dlq | --to SUBJECT | --delete]"
            + " [STREAM…] [--yes]",
    description = {
      "Takes away messages that no consumer claims or that their consumers gave up on: each is"
          + " stored as a dead letter, its consumers are looked at once more, and it is deleted"
          + " from its stream within a second of that.",
      "Without --yes it says what it would do and touches nothing. What a stopped durable may still"
          + " want is left alone, and so is what is only suspected."
    },
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail orphans reap --older-than 24h",
      "  contrail orphans reap --older-than 7d ORDERS --yes",
      "  contrail orphans reap --older-than 24h ORDERS --to orders.unrouted --yes"
    })
final class OrphansReapCommand implements Callable<Integer> {
  private final Tools tools;

  @Parameters(
      paramLabel = "STREAM",
      arity = "0..*",
      converter = NatsNames.Name.class,
      description = "only these streams (all)")
  private List<String> streams = new ArrayList<>();

  @Option(
      names = "--older-than",
      paramLabel = "DURATION",
      required = true,
      converter = AgeValue.class,
      description = "only messages published longer ago, such as 24h or 7d")
  @SuppressWarnings("NullAway.Init")
  private Duration olderThan;

  @Option(
      names = "--class",
      paramLabel = "CLASS",
      split = ",",
      converter = ReapableValue.class,
      description = "unclaimed, exhausted or both (both)")
  private List<OrphanClass> classes = new ArrayList<>();

  @ArgGroup private @Nullable What what;

  @Option(
      names = "--rate",
      paramLabel = "N/s",
      converter = HowOptions.RateValue.class,
      description = "at most so many in a second, or in a minute (30/m) or an hour (5/h)")
  private @Nullable Rate rate;

  @Option(
      names = {"-y", "--yes", "-f", "--force"},
      fallbackValue = "true",
      description = "do it, and do not only say what would be done")
  private boolean yes;

  @Mixin private final Person person = new Person();

  OrphansReapCommand(Tools tools) {
    this.tools = tools;
  }

  /** One of these. */
  static final class What {
    @Option(
        names = "--to-dlq",
        fallbackValue = "true",
        description = "leave them as open dead letters (this)")
    private boolean deadLetter;

    @Option(
        names = "--to",
        paramLabel = "SUBJECT",
        converter = HowOptions.Subject.class,
        description = "hand a copy of each to this subject, which a consumer must claim")
    private @Nullable String to;

    @Option(
        names = "--delete",
        fallbackValue = "true",
        description = "leave them as discarded dead letters, for contrail dlq purge")
    private boolean delete;
  }

  @Override
  public Integer call() throws InterruptedException {
    AtomicBoolean stop = new AtomicBoolean();
    if (yes) {
      StopRequest.onSignals(() -> {}).whenAsked(() -> stop.set(true));
    }
    ReapReport report;
    try (Session session = tools.sessions().get()) {
      ReapPlan plan = plan(session.names().prefix());
      Reaper reaper =
          new Reaper(
              session.connection(),
              session.jetStream(),
              session.names(),
              tools.storage().provision(),
              person.name());
      try (ReapProgress progress = new ReapProgress(tools, yes ? "reaping" : "looking")) {
        report = reaper.reap(plan, stop::get, progress);
      }
    }
    new ReapView(report, yes, fate(), Durations.format(olderThan)).show(tools);
    boolean fine =
        report.stopped().isEmpty()
            && report.slipped().isEmpty()
            && report.notJudged().isEmpty()
            && report.left() == 0;
    return fine ? ExitCode.FINE : ExitCode.FAILED;
  }

  private ReapPlan plan(String prefix) {
    Optional<String> to = Optional.ofNullable(what).map(it -> it.to);
    if (to.filter(it -> it.startsWith(prefix + ".")).isPresent()) {
      throw CommandFailure.usage(
          "--to: '" + to.get() + "' is Contrail's own; accepted are other subjects");
    }
    return new ReapPlan(
        streams,
        olderThan,
        classes.isEmpty()
            ? EnumSet.of(OrphanClass.UNCLAIMED, OrphanClass.EXHAUSTED)
            : EnumSet.copyOf(classes),
        fate(),
        to,
        Optional.ofNullable(rate),
        yes);
  }

  private Fate fate() {
    if (what == null || what.deadLetter) {
      return Fate.DEAD_LETTER;
    }
    return what.to != null ? Fate.HAND_OVER : what.delete ? Fate.DELETE : Fate.DEAD_LETTER;
  }

  /** A bar from the moment on at which it is known how much there is. */
  private static final class ReapProgress implements Reaper.Listener, AutoCloseable {
    private final Tools tools;
    private final String label;
    private @Nullable Progress bar;

    ReapProgress(Tools tools, String label) {
      this.tools = tools;
      this.label = label;
    }

    @Override
    public void settled(long done, long of) {
      Progress shown = bar;
      if (shown == null) {
        shown =
            new Progress(
                tools.surroundings().err(),
                tools.surroundings().terminal(),
                label,
                of,
                System::nanoTime);
        bar = shown;
      }
      shown.done(done);
    }

    @Override
    public void close() {
      if (bar != null) {
        bar.close();
      }
    }
  }

  static final class AgeValue extends DurationValue {
    AgeValue() {
      super(Duration.ZERO, Duration.ofDays(36_500));
    }
  }

  static final class ReapableValue implements ITypeConverter<OrphanClass> {
    @Override
    public OrphanClass convert(String text) {
      return switch (OrphanClass.parse(text).orElseThrow(() -> refused(text, ""))) {
        case UNCLAIMED -> OrphanClass.UNCLAIMED;
        case EXHAUSTED -> OrphanClass.EXHAUSTED;
        case SUSPECTED -> throw refused(text, " is not certain enough to be acted on;");
        case FORGOTTEN -> throw refused(text, " may still be wanted: delete the durable first;");
      };
    }

    private static BadValueException refused(String text, String why) {
      return new BadValueException(
          "'"
              + text
              + "'"
              + (why.isEmpty() ? " is no class;" : why)
              + " accepted are unclaimed and exhausted");
    }
  }
}
