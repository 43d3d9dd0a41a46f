package dev.contrail.cli.replay;

import dev.contrail.cli.command.BadValueException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** Who decides: it becomes part of the history of a dead letter. */
public final class Person {
  @Option(
      names = "--as",
      paramLabel = "NAME",
      converter = Name.class,
      description = "who does this, for the history (user@host)")
  private @Nullable String name;

  public String name() {
    return name != null ? name : System.getProperty("user.name", "unknown") + "@" + host();
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }

  static final class Name implements ITypeConverter<String> {
    private static final int LONGEST = 200;

    @Override
    public String convert(String text) {
      if (text.isBlank() || text.length() > LONGEST) {
        throw new BadValueException(
            "'" + text + "' is no name; accepted are up to " + LONGEST + " characters");
      }
      return text.strip();
    }
  }
}
