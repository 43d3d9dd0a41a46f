package dev.contrail.simulation.model;

import java.util.Collection;

/** Subjects with wildcards, as streams and filters name them. */
final class Subjects {
  private Subjects() {}

  /** Whether the pattern takes all that the other takes; a subject is a pattern of one. */
  static boolean covers(String pattern, String other) {
    if (!hasWildcards(pattern)) {
      return pattern.equals(other);
    }
    String[] wide = pattern.split("\\.", -1);
    String[] narrow = other.split("\\.", -1);
    for (int i = 0; i < wide.length; i++) {
      if (i >= narrow.length) {
        return false;
      }
      if (wide[i].equals(">")) {
        return true;
      }
      boolean covered =
          wide[i].equals(narrow[i]) || (wide[i].equals("*") && !narrow[i].equals(">"));
      if (!covered) {
        return false;
      }
    }
    return wide.length == narrow.length;
  }

  /** Whether it may take more than one subject. */
  static boolean hasWildcards(String pattern) {
    return pattern.indexOf('*') >= 0 || pattern.indexOf('>') >= 0;
  }

  static boolean anyCovers(Collection<String> patterns, String other) {
    for (String pattern : patterns) {
      if (covers(pattern, other)) {
        return true;
      }
    }
    return false;
  }

  /** Whether there are subjects that both take. */
  static boolean overlap(String one, String other) {
    String[] left = one.split("\\.", -1);
    String[] right = other.split("\\.", -1);
    for (int i = 0; i < left.length && i < right.length; i++) {
      if (left[i].equals(">") || right[i].equals(">")) {
        return true;
      }
      boolean apart = !left[i].equals(right[i]) && !left[i].equals("*") && !right[i].equals("*");
      if (apart) {
        return false;
      }
    }
    return left.length == right.length;
  }

  static boolean anyOverlap(Collection<String> some, Collection<String> others) {
    return some.stream().anyMatch(one -> others.stream().anyMatch(other -> overlap(one, other)));
  }
}
