package dev.contrail.cli.command;

import picocli.CommandLine.ITypeConverter;

/** Reads a whole number within bounds from a flag, a variable or a file. */
public abstract class NumberValue implements ITypeConverter<Integer> {
  private final int least;
  private final int most;

  protected NumberValue(int least, int most) {
    this.least = least;
    this.most = most;
  }

  @Override
  public final Integer convert(String text) {
    try {
      int number = Integer.parseInt(text.strip().replace("_", ""));
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new BadValueException("'" + text + "' is no whole number" + accepted());
    }
    throw new BadValueException("'" + text + "' is out of range" + accepted());
  }

  private String accepted() {
    return "; accepted is " + least + " to " + most;
  }
}
