package dev.contrail.cli.guard;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.DurationValue;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.NatsNames;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.StopRequest;
import dev.contrail.cli.replay.Person;
import dev.contrail.cli.replay.Tools;
import dev.contrail.jetstream.Names;
import dev.contrail.operations.guard.Guard;
import dev.contrail.operations.guard.GuardOptions;
import dev.contrail.operations.guard.GuardOptions.Release;
import dev.contrail.operations.guard.GuardStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code contrail guard}: dead-letters what consumers of others gave up on. */
@Command(
    name = "guard",
    header = "Dead-letter what consumers in any language gave up on",
    customSynopsis = "@|bold contrail guard|@ [--release STREAM… | --release-all] [OPTIONS]",
    description = {
      "Follows what the server says of messages that used up their MaxDeliver or were terminated, and"
          + " keeps each as a dead letter. Sweeps find what the server did not say.",
      "It takes nothing from any stream unless told: --release lets it take away what it has copied."
          + " Several may run; one leads, the others wait."
    },
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail guard",
      "  contrail guard --release ORDERS PAYMENTS",
      "  contrail guard --release-all --exclude 'test-*'",
      "  contrail guard --release-all --dry-run",
      "  contrail guard --once --json"
    })
final class GuardCommand implements Callable<Integer> {
  private final Tools tools;

  @ArgGroup private @Nullable What what;

  @Option(
      names = "--streams",
      paramLabel = "STREAM",
      arity = "1..*",
      split = ",",
      converter = StreamPattern.class,
      description = "only these streams; * stands for any characters (all)")
  private List<String> streams = new ArrayList<>();

  @Option(
      names = "--exclude",
      paramLabel = "STREAM",
      arity = "1..*",
      split = ",",
      converter = StreamPattern.class,
      description = "not these; * stands for any characters")
  private List<String> exclude = new ArrayList<>();

  @Option(
      names = "--sweep-every",
      paramLabel = "DURATION",
      defaultValue = "5m",
      converter = SweepValue.class,
      description = "how often to look for what the server did not say (5m)")
  private Duration sweepEvery = GuardOptions.DEFAULT.sweepEvery();

  @Option(
      names = "--once",
      fallbackValue = "true",
      description = "work off what is there, sweep once, and end")
  private boolean once;

  @Option(
      names = "--dry-run",
      fallbackValue = "true",
      description = "say what would be done, write nothing, and end")
  private boolean dryRun;

  @Option(
      names = "--from-start",
      fallbackValue = "true",
      description = "read again what guards worked off before, as far as it is kept (30 days)")
  private boolean fromStart;

  @Mixin private final Person person = new Person();

  GuardCommand(Tools tools) {
    this.tools = tools;
  }

  /** One of these. */
  static final class What {
    @Option(
        names = "--release",
        paramLabel = "STREAM",
        arity = "1..*",
        split = ",",
        converter = NatsNames.Name.class,
        description = "take what has a dead letter away from these streams")
    private List<String> release = new ArrayList<>();

    @Option(
        names = "--release-all",
        fallbackValue = "true",
        description = "the same for every stream that is looked at")
    private boolean all;
  }

  @Override
  public Integer call() throws InterruptedException {
    GuardOptions options = options(new Names(tools.storage().prefix()));
    StopRequest stop = StopRequest.onSignals(() -> {});
    AtomicBoolean stopped = new AtomicBoolean();
    stop.whenAsked(() -> stopped.set(true));
    try (Session session = tools.sessions().get()) {
      try (GuardVoice voice =
          tools.json().getAsBoolean()
              ? new GuardJson(tools.surroundings().out())
              : new GuardLog(tools.surroundings(), session.server(), options, mode())) {
        GuardStatus status = run(session, options, voice, stop, stopped);
        voice.ended(status);
        return (once || dryRun) && status.failures() > 0 ? ExitCode.FAILED : ExitCode.FINE;
      }
    }
  }

  private GuardLog.Mode mode() {
    return dryRun ? GuardLog.Mode.DRY_RUN : once ? GuardLog.Mode.ONCE : GuardLog.Mode.UNTIL_STOPPED;
  }

  private GuardStatus run(
      Session session,
      GuardOptions options,
      GuardVoice voice,
      StopRequest stop,
      AtomicBoolean stopped)
      throws InterruptedException {
    if (dryRun) {
      return Guard.rehearse(
          session.connection(), session.jetStream(), session.names(), options, voice, stopped::get);
    }
    if (once) {
      return Guard.once(
          session.connection(), session.jetStream(), session.names(), options, voice, stopped::get);
    }
    Guard guard =
        Guard.start(session.connection(), session.jetStream(), session.names(), options, voice);
    try (guard) {
      stop.await();
    }
    return guard.status();
  }

  private GuardOptions options(Names names) {
    Release release = release();
    GuardOptions options =
        GuardOptions.DEFAULT
            .withStreams(streams)
            .withExclude(exclude)
            .withRelease(release)
            .withSweepEvery(sweepEvery)
            .withProvision(tools.storage().provision())
            .withFromStart(fromStart)
            .withBy(person.name());
    for (String name : release.streams()) {
      if (!options.watches(name, names)) {
        throw CommandFailure.usage(
            "--release: '"
                + name
                + "' is Contrail's own or left out; accepted are streams that the guard looks at");
      }
    }
    return options;
  }

  private Release release() {
    if (what == null) {
      return Release.NOTHING;
    }
    return what.all ? Release.ALL : Release.of(new LinkedHashSet<>(what.release));
  }

  static final class SweepValue extends DurationValue {
    SweepValue() {
      super(Duration.ofSeconds(10), Duration.ofDays(30));
    }
  }

  /** The name of a stream in which * stands for any characters. */
  static final class StreamPattern implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (text.isEmpty() || text.chars().anyMatch(c -> c <= ' ' || ".>/\\".indexOf(c) >= 0)) {
        throw new BadValueException(
            "'" + text + "' names no stream; accepted are names like ORDERS, and * within them");
      }
      return text;
    }
  }
}
