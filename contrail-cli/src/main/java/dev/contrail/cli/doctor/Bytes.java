package dev.contrail.cli.doctor;

import dev.contrail.cli.command.BadValueException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;

/** Reads a number of bytes as the {@code nats} tool does: MB and MiB are the same. */
final class Bytes implements ITypeConverter<Long> {
  private static final Pattern AMOUNT = Pattern.compile("(\\d{1,9})(?:([KMGT])(?:I?B)?|B)?");
  private static final String UNITS = "KMGT";

  @Override
  public Long convert(String text) {
    Matcher amount = AMOUNT.matcher(text.strip().toUpperCase(Locale.ROOT));
    if (!amount.matches()) {
      throw refused(text);
    }
    String unit = amount.group(2);
    int power = unit == null ? 0 : UNITS.indexOf(unit) + 1;
    try {
      long bytes = Math.multiplyExact(Long.parseLong(amount.group(1)), 1L << (10 * power));
      if (bytes > 0) {
        return bytes;
      }
    } catch (ArithmeticException tooLarge) {
      throw refused(text);
    }
    throw refused(text);
  }

  private static BadValueException refused(String text) {
    return new BadValueException(
        "'" + text + "' is no number of bytes; accepted are numbers like 1048576, 500MB, 10GiB");
  }
}
