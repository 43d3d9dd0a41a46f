package dev.contrail.server;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of a nats-server. A pre-release counts as the release it leads to. */
public record ServerVersion(int major, int minor, int patch) implements Comparable<ServerVersion> {
  private static final Pattern NUMBERS = Pattern.compile("(\\d{1,9})\\.(\\d{1,9})\\.(\\d{1,9})");
  private static final Comparator<ServerVersion> ORDER =
      Comparator.comparingInt(ServerVersion::major)
          .thenComparingInt(ServerVersion::minor)
          .thenComparingInt(ServerVersion::patch);

  /**
   * The first version in the text, such as {@code nats-server: v2.10.27}; empty if there is none.
   */
  public static Optional<ServerVersion> in(String text) {
    Matcher numbers = NUMBERS.matcher(text);
    return numbers.find()
        ? Optional.of(
            new ServerVersion(
                Integer.parseInt(numbers.group(1)),
                Integer.parseInt(numbers.group(2)),
                Integer.parseInt(numbers.group(3))))
        : Optional.empty();
  }

  public boolean isAtLeast(int major, int minor) {
    return compareTo(new ServerVersion(major, minor, 0)) >= 0;
  }

  @Override
  public int compareTo(ServerVersion other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return major + "." + minor + "." + patch;
  }
}
