package dev.contrail.cli.command;

import picocli.CommandLine.ITypeConverter;

/** The rules that the server has for names and subjects. */
public final class NatsNames {
  private static final int LONGEST_NAME = 255;

  private NatsNames() {}

  /** The name of a stream or a consumer. */
  public static final class Name implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (text.isEmpty()
          || text.length() > LONGEST_NAME
          || text.chars().anyMatch(c -> c <= ' ' || c == 0x7F || ".*>/\\".indexOf(c) >= 0)) {
        throw new BadValueException(
            "'" + text + "' cannot be a name; accepted is anything without spaces and . * > / \\");
      }
      return text;
    }
  }

  /** A subject that may hold the wildcards * and >. */
  public static final class Filter implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      String[] tokens = text.split("\\.", -1);
      for (int i = 0; i < tokens.length; i++) {
        boolean last = i == tokens.length - 1;
        if (tokens[i].isEmpty()
            || tokens[i].chars().anyMatch(c -> c <= ' ' || c == 0x7F)
            || (tokens[i].equals(">") && !last)) {
          throw new BadValueException(
              "'" + text + "' is no subject; accepted are subjects like orders.new, orders.*, >");
        }
      }
      return text;
    }
  }
}
