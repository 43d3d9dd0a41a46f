package dev.contrail.cli.doctor;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.DurationValue;
import dev.contrail.cli.command.HelpGroup;
import dev.contrail.cli.command.NatsNames;
import dev.contrail.cli.command.NumberValue;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.command.YesOrNo;
import dev.contrail.operations.doctor.advice.Needs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** What a new stream is for. */
@HelpGroup(heading = "With --advise", order = 30)
final class AdviseOptions {
  private static final long USUAL_BYTES = 10L * 1024 * 1024 * 1024;

  @Option(
      names = "--name",
      paramLabel = "STREAM",
      converter = NatsNames.Name.class,
      description = "its name (STREAM)")
  private @Nullable String name;

  @Option(
      names = "--subjects",
      paramLabel = "SUBJECT",
      split = ",",
      converter = NatsNames.Filter.class,
      description = "what it takes; may be repeated (the name in lower case, and all below)")
  private List<String> subjects = new ArrayList<>();

  @Option(
      names = "--waits-for-worker",
      paramLabel = "yes|no",
      arity = "1",
      converter = YesOrNo.class,
      description = "must work wait for a worker that may not exist yet?")
  private @Nullable Boolean waitsForWorker;

  @Option(
      names = "--may-vanish",
      paramLabel = "yes|no",
      arity = "1",
      converter = YesOrNo.class,
      description = "may a message vanish when no consumer is interested in it?")
  private @Nullable Boolean mayVanish;

  @Option(
      names = "--readers",
      paramLabel = "one|several",
      converter = Readers.class,
      description = "does a message go to one kind of consumer, or to several?")
  private @Nullable Boolean severalReaders;

  @Option(
      names = "--bounded",
      paramLabel = "yes|no",
      arity = "1",
      converter = YesOrNo.class,
      description = "must it be bounded?")
  private @Nullable Boolean bounded;

  @Option(
      names = "--max-bytes",
      paramLabel = "BYTES",
      converter = Bytes.class,
      description = "if bounded: the most it may hold, such as 500MB or 10GiB (10GiB)")
  private @Nullable Long maxBytes;

  @Option(
      names = "--max-age",
      paramLabel = "DURATION",
      converter = Age.class,
      description = "if bounded: how old a message may become")
  private @Nullable Duration maxAge;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      converter = Replicas.class,
      description = "how many servers keep it (1)")
  private @Nullable Integer replicas;

  boolean isGiven() {
    return name != null
        || !subjects.isEmpty()
        || waitsForWorker != null
        || mayVanish != null
        || severalReaders != null
        || bounded != null
        || maxBytes != null
        || maxAge != null
        || replicas != null;
  }

  /**
   * The needs, asked for where no flag tells them.
   *
   * @throws CommandFailure when there is nobody to ask, or they contradict each other
   */
  Needs needs(Surroundings surroundings, Optional<String> stream) {
    Questions questions = new Questions(surroundings);
    boolean wait =
        questions.ask(
            waitsForWorker,
            "--waits-for-worker",
            "Must work wait for a worker that may not exist yet?");
    if (wait && Boolean.TRUE.equals(mayVanish)) {
      throw CommandFailure.usage(
          "--waits-for-worker yes and --may-vanish yes contradict each other: what vanishes does"
              + " not wait");
    }
    boolean vanish =
        !wait
            && questions.ask(
                mayVanish,
                "--may-vanish",
                "May a message vanish when no consumer is interested in it?");
    boolean several =
        !vanish
            && questions.ask(
                severalReaders,
                "--readers",
                "Do several kinds of consumers each get every message?");
    boolean bound =
        maxBytes != null
            || maxAge != null
            || questions.ask(bounded, "--bounded", "Must the stream be bounded?");
    if (Boolean.FALSE.equals(bounded) && bound) {
      throw CommandFailure.usage("--bounded no and --max-bytes or --max-age contradict each other");
    }
    String called = stream.orElse(name == null ? "STREAM" : name);
    return new Needs(
        called,
        subjects.isEmpty() ? List.of(called.toLowerCase(Locale.ROOT) + ".>") : subjects,
        wait,
        vanish,
        several,
        bound
            ? Optional.of(
                new Needs.Bounds(
                    maxBytes == null ? USUAL_BYTES : maxBytes, Optional.ofNullable(maxAge)))
            : Optional.empty(),
        replicas == null ? 1 : replicas);
  }

  static final class Readers implements ITypeConverter<Boolean> {
    @Override
    public Boolean convert(String text) {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "one" -> false;
        case "several" -> true;
        default ->
            throw new BadValueException("'" + text + "' is unknown; accepted are one, several");
      };
    }
  }

  static final class Age extends DurationValue {
    Age() {
      super(Duration.ofMinutes(2), Duration.ofDays(3_650));
    }
  }

  static final class Replicas extends NumberValue {
    Replicas() {
      super(1, 5);
    }
  }
}
