package dev.contrail.cli.command;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;

/** Reads true or false the ways people write it in variables and files. */
public final class YesOrNo implements ITypeConverter<Boolean> {
  @Override
  public Boolean convert(String text) {
    return parse(text);
  }

  /**
   * Reads it.
   *
   * @throws BadValueException when it is neither
   */
  public static boolean parse(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "true", "yes", "on", "1" -> true;
      case "false", "no", "off", "0" -> false;
      default ->
          throw new BadValueException(
              "'" + text + "' is neither true nor false; accepted are true, false, yes, no, 1, 0");
    };
  }
}
