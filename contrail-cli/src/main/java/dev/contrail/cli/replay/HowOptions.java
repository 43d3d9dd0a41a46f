package dev.contrail.cli.replay;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.NumberValue;
import dev.contrail.plan.PlanOptions;
import dev.contrail.plan.Rate;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** How a replay is carried out. */
public final class HowOptions {
  @Option(
      names = "--to",
      paramLabel = "SUBJECT",
      converter = Subject.class,
      description = "publish to this subject (that of each message); --until is the time")
  private @Nullable String to;

  @Option(
      names = "--rate",
      paramLabel = "N/s",
      converter = RateValue.class,
      description = "at most so many in a second, or in a minute (30/m) or an hour (5/h)")
  private @Nullable Rate rate;

  @Option(
      names = "--canary",
      paramLabel = "N",
      converter = Canary.class,
      description = "replay so many first, and go on when all of them were processed")
  private int canary;

  @Option(
      names = "--stop-on-return",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "stop when one dies again of the same (on; --no-stop-on-return)")
  private boolean stopOnReturn = true;

  @Option(
      names = "--max-replays",
      paramLabel = "N",
      defaultValue = "3",
      converter = MostReplays.class,
      description = "leave out what was replayed so often already, copies of copies too (3)")
  private int maxReplays = 3;

  /**
   * What was asked for.
   *
   * @param prefix of what Contrail stores
   * @throws CommandFailure when copies would go there
   */
  PlanOptions options(String prefix) {
    if (to != null && to.startsWith(prefix + ".")) {
      throw CommandFailure.usage(
          "--to: '" + to + "' is Contrail's own; accepted are other subjects");
    }
    return new PlanOptions(
        Optional.ofNullable(to), Optional.ofNullable(rate), canary, stopOnReturn, maxReplays);
  }

  public static final class RateValue implements ITypeConverter<Rate> {
    @Override
    public Rate convert(String text) {
      return Rate.parse(text.strip())
          .orElseThrow(
              () ->
                  new BadValueException(
                      "'" + text + "' is no rate; accepted are such as 100/s, 30/m and 5/h"));
    }
  }

  public static final class Subject implements ITypeConverter<String> {
    private static final Pattern SUBJECT = Pattern.compile("[^\\s.*>]+(\\.[^\\s.*>]+)*");

    @Override
    public String convert(String text) {
      if (!SUBJECT.matcher(text).matches() || text.startsWith("$")) {
        throw new BadValueException(
            "'" + text + "' is no subject to publish to; accepted are such as orders.new");
      }
      return text;
    }
  }

  static final class Canary extends NumberValue {
    Canary() {
      super(0, 1_000_000);
    }
  }

  static final class MostReplays extends NumberValue {
    MostReplays() {
      super(1, 1_000);
    }
  }
}
