package dev.contrail.cli.command;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds what a mistyped word was most likely meant to be. */
public final class Suggestion {
  private Suggestion() {}

  /** The candidate nearest to the word, if any is near enough to be worth a mention. */
  public static Optional<String> nearest(String word, Collection<String> candidates) {
    String typed = word.toLowerCase(Locale.ROOT);
    return candidates.stream()
        .filter(candidate -> isNear(typed, candidate.toLowerCase(Locale.ROOT)))
        .min(
            Comparator.comparingInt((String candidate) -> distance(typed, candidate))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** {@code "; did you mean X?"}, or nothing. */
  public static String hint(String word, Collection<String> candidates) {
    return nearest(word, candidates).map(near -> "; did you mean " + near + "?").orElse("");
  }

  private static boolean isNear(String typed, String candidate) {
    int allowed = Math.max(1, Math.min(typed.length(), candidate.length()) / 3);
    return distance(typed, candidate) <= allowed
        || (typed.length() >= 3 && candidate.startsWith(typed));
  }

  // Letters inserted, left out, replaced, or swapped with their neighbour.
  private static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int replaced = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        d[i][j] = Math.min(replaced, 1 + Math.min(d[i - 1][j], d[i][j - 1]));
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
