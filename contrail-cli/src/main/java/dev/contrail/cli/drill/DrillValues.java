package dev.contrail.cli.drill;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.DurationValue;
import dev.contrail.cli.command.NumberValue;
import dev.contrail.cli.drill.scenario.Naive;
import dev.contrail.cli.drill.scenario.Scenario;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;

/** What the options of a drill accept. */
final class DrillValues {
  private DrillValues() {}

  static final class ScenarioValue implements ITypeConverter<Scenario> {
    @Override
    public Scenario convert(String text) {
      return Arrays.stream(Scenario.values())
          .filter(it -> it.text().equals(text.strip().toLowerCase(Locale.ROOT)))
          .findAny()
          .orElseThrow(
              () ->
                  new BadValueException(
                      "'"
                          + text
                          + "' is no scenario; accepted are "
                          + Arrays.stream(Scenario.values())
                              .map(Scenario::text)
                              .collect(Collectors.joining(", "))));
    }
  }

  static final class NaiveValue implements ITypeConverter<Naive> {
    @Override
    public Naive convert(String text) {
      return Arrays.stream(Naive.values())
          .filter(it -> it.text().equals(text.strip().toLowerCase(Locale.ROOT)))
          .findAny()
          .orElseThrow(
              () ->
                  new BadValueException(
                      "'" + text + "' is unknown; accepted are term-first, ack-first, ttl"));
    }
  }

  static final class Messages extends NumberValue {
    Messages() {
      super(8, 100_000);
    }
  }

  static final class Kills extends NumberValue {
    Kills() {
      super(1, 10_000);
    }
  }

  static final class AckWait extends DurationValue {
    AckWait() {
      super(Duration.ofSeconds(1), Duration.ofMinutes(10));
    }
  }

  static final class Length extends DurationValue {
    Length() {
      super(Duration.ofSeconds(1), Duration.ofDays(7));
    }
  }
}
