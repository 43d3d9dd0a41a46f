package dev.contrail.cli.command;

import dev.contrail.operations.view.TimeText;
import java.time.Instant;
import picocli.CommandLine.ITypeConverter;

/** Reads a point in time; where no offset is given it is in UTC, as all times that are shown. */
public final class TimeValue implements ITypeConverter<Instant> {
  @Override
  public Instant convert(String text) {
    return TimeText.parse(text)
        .orElseThrow(
            () -> new BadValueException("'" + text + "' is no time; " + TimeText.ACCEPTED));
  }
}
