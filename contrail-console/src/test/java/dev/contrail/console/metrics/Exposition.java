package dev.contrail.console.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text format of Prometheus, read as strictly as a server reads it. */
public final class Exposition {
  private static final Pattern COMMENT =
      Pattern.compile("# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)");
  private static final Pattern SAMPLE =
      Pattern.compile(
          "([a-zA-Z_:][a-zA-Z0-9_:]*)"
              + "(\\{[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\\n]|\\\\[\\\\\"n])*\""
              + "(?:,[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\\n]|\\\\[\\\\\"n])*\")*})?"
              + " (NaN|[+-]Inf|[-+]?[0-9.]+(?:E[-+]?[0-9]+)?)");
  private static final Pattern PARTS = Pattern.compile("_(?:sum|count|bucket|max)$");

  private Exposition() {}

  /** The value of every series by its name and labels. Fails on whatever is not valid. */
  public static Map<String, Double> parse(String text) {
    Map<String, Double> series = new LinkedHashMap<>();
    Set<String> typed = new HashSet<>();
    assertThat(text).endsWith("\n");
    for (String line : text.split("\n", -1)) {
      Matcher comment = COMMENT.matcher(line);
      if (comment.matches()) {
        boolean type = comment.group(1).equals("TYPE");
        assertThat(!type || typed.add(comment.group(2))).as("a second %s", line).isTrue();
      } else if (!line.isEmpty()) {
        Matcher sample = SAMPLE.matcher(line);
        assertThat(sample.matches()).as("a valid line: %s", line).isTrue();
        String name = sample.group(1);
        assertThat(typed.contains(name) || typed.contains(PARTS.matcher(name).replaceFirst("")))
            .as("the type of %s", name)
            .isTrue();
        String labels = sample.group(2) == null ? "" : sample.group(2);
        assertThat(series.put(name + labels, Double.parseDouble(sample.group(3))))
            .as("a second %s", line)
            .isNull();
      }
    }
    return series;
  }
}
