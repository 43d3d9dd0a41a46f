package dev.contrail.cli.guard;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.DurationValue;
import dev.contrail.cli.command.HelpGroup;
import dev.contrail.cli.command.NatsNames;
import dev.contrail.cli.command.StorageOptions;
import dev.contrail.cli.replay.Person;
import dev.contrail.jetstream.Names;
import dev.contrail.operations.guard.GuardOptions;
import dev.contrail.operations.guard.GuardOptions.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a guard looks at and may do, for every command that runs one. */
@HelpGroup(heading = "Guard", order = 5)
public final class GuardChoice {
  @Option(
      names = "--release",
      paramLabel = "STREAM",
      arity = "1..*",
      split = ",",
      converter = NatsNames.Name.class,
      description = "take messages from these streams, once they are dead-lettered")
  private List<String> release = new ArrayList<>();

  @Option(
      names = "--release-all",
      fallbackValue = "true",
      description = "the same for every stream that is guarded")
  private boolean releaseAll;

  @Option(
      names = "--streams",
      paramLabel = "STREAM",
      arity = "1..*",
      split = ",",
      converter = StreamPattern.class,
      description = "guard only these; * stands for any characters (all)")
  private List<String> streams = new ArrayList<>();

  @Option(
      names = "--exclude",
      paramLabel = "STREAM",
      arity = "1..*",
      split = ",",
      converter = StreamPattern.class,
      description = "do not guard these; * stands for any characters")
  private List<String> exclude = new ArrayList<>();

  @Option(
      names = "--sweep-every",
      paramLabel = "DURATION",
      defaultValue = "5m",
      converter = SweepValue.class,
      description = "how often to look for what the server did not say (5m)")
  private Duration sweepEvery = GuardOptions.DEFAULT.sweepEvery();

  @Option(
      names = "--from-start",
      fallbackValue = "true",
      description = "read again what guards worked off before, as far as it is kept (30 days)")
  private boolean fromStart;

  @Mixin private final Person person = new Person();

  /**
   * What was chosen.
   *
   * @throws CommandFailure when messages are to be taken from a stream that is not guarded
   */
  public GuardOptions options(StorageOptions storage) {
    if (releaseAll && !release.isEmpty()) {
      throw CommandFailure.usage("--release names streams and --release-all means all; say one");
    }
    GuardOptions options =
        GuardOptions.DEFAULT
            .withStreams(streams)
            .withExclude(exclude)
            .withRelease(releaseAll ? Release.ALL : Release.of(Set.copyOf(release)))
            .withSweepEvery(sweepEvery)
            .withProvision(storage.provision())
            .withFromStart(fromStart)
            .withBy(person.name());
    Names names = new Names(storage.prefix());
    for (String stream : release) {
      if (!options.watches(stream, names)) {
        throw CommandFailure.usage(
            "--release: '"
                + stream
                + "' is Contrail's own or left out; accepted are streams that the guard looks at");
      }
    }
    return options;
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
