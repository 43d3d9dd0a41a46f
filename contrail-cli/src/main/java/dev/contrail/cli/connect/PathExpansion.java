package dev.contrail.cli.connect;

import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Expands a leading {@code ~} and variables in file names, as the nats tool does in contexts. */
final class PathExpansion {
  private static final Pattern VARIABLE = Pattern.compile("\\$(?:\\{(\\w+)}|(\\w+))");

  private PathExpansion() {}

  static Path expand(String text, Map<String, String> env, Path home) {
    String path =
        VARIABLE
            .matcher(text)
            .replaceAll(match -> Matcher.quoteReplacement(env.getOrDefault(name(match), "")));
    if (path.equals("~")) {
      return home;
    }
    return path.startsWith("~/") ? home.resolve(path.substring(2)) : Path.of(path);
  }

  private static String name(java.util.regex.MatchResult match) {
    return match.group(1) != null ? match.group(1) : match.group(2);
  }
}
