package dev.contrail.cli.command;

import dev.contrail.Durations;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;

/** Reads a duration within bounds from a flag, a variable or a file. */
public abstract class DurationValue implements ITypeConverter<Duration> {
  private static final String SETTING = "duration";

  private final Duration shortest;
  private final Duration longest;

  protected DurationValue(Duration shortest, Duration longest) {
    this.shortest = shortest;
    this.longest = longest;
  }

  @Override
  public final Duration convert(String text) {
    Duration duration = parse(text);
    if (duration.compareTo(shortest) < 0 || duration.compareTo(longest) > 0) {
      throw new BadValueException(
          "'"
              + text
              + "' is out of range; accepted is "
              + Durations.format(shortest)
              + " to "
              + Durations.format(longest));
    }
    return duration;
  }

  /**
   * Any duration.
   *
   * @throws BadValueException when it is none
   */
  public static Duration parse(String text) {
    try {
      return Durations.parse(SETTING, text);
    } catch (IllegalArgumentException e) {
      throw new BadValueException(sentence(e));
    }
  }

  // The name of the setting is added by whoever knows whether it was a flag or a variable.
  private static String sentence(IllegalArgumentException e) {
    String sentence = String.valueOf(e.getMessage());
    String named = SETTING + ": ";
    String bare = sentence.startsWith(named) ? sentence.substring(named.length()) : sentence;
    return bare.endsWith(".") ? bare.substring(0, bare.length() - 1) : bare;
  }
}
