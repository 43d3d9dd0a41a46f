package dev.contrail.jetstream;

import java.util.Collection;
import java.util.List;

/**
 * A subject as streams and consumers name what they take: {@code *} stands for any one token, and
 * {@code >} at the end for one or more.
 */
public final class SubjectPattern {
  private static final String ONE = "*";
  private static final String REST = ">";

  private final String text;
  private final String[] tokens;

  private SubjectPattern(String text) {
    this.text = text;
    this.tokens = text.split("\\.", -1);
  }

  public static SubjectPattern of(String text) {
    return new SubjectPattern(text);
  }

  /** Whether one of the patterns takes the subject. */
  public static boolean anyMatches(Collection<String> patterns, String subject) {
    return patterns.stream().anyMatch(pattern -> of(pattern).matches(subject));
  }

  /** Whether it stands for one subject only: no token of it is a wildcard. */
  public boolean isLiteral() {
    return List.of(tokens).stream().noneMatch(it -> it.equals(ONE) || it.equals(REST));
  }

  /** Whether it takes that subject, which has no wildcards. */
  public boolean matches(String subject) {
    int start = 0;
    for (int i = 0; i < tokens.length; i++) {
      if (start > subject.length()) {
        return false;
      }
      if (isRest(i)) {
        return start < subject.length();
      }
      int dot = subject.indexOf('.', start);
      int end = dot < 0 ? subject.length() : dot;
      boolean same =
          tokens[i].equals(ONE)
              || (tokens[i].length() == end - start && subject.startsWith(tokens[i], start));
      if (!same) {
        return false;
      }
      start = end + 1;
    }
    return start == subject.length() + 1;
  }

  /** Whether there are subjects that both take. */
  public boolean overlaps(SubjectPattern other) {
    int common = Math.min(tokens.length, other.tokens.length);
    for (int i = 0; i < common; i++) {
      if (isRest(i) || other.isRest(i)) {
        return true;
      }
      boolean apart =
          !tokens[i].equals(ONE)
              && !other.tokens[i].equals(ONE)
              && !tokens[i].equals(other.tokens[i]);
      if (apart) {
        return false;
      }
    }
    return tokens.length == other.tokens.length;
  }

  /** Whether it takes every subject that the other one takes. */
  public boolean covers(SubjectPattern other) {
    for (int i = 0; i < tokens.length; i++) {
      if (i >= other.tokens.length) {
        return false;
      }
      if (isRest(i)) {
        return true;
      }
      boolean within =
          !other.isRest(i) && (tokens[i].equals(ONE) || tokens[i].equals(other.tokens[i]));
      if (!within) {
        return false;
      }
    }
    return tokens.length == other.tokens.length;
  }

  /** As it was written. */
  @Override
  public String toString() {
    return text;
  }

  // Elsewhere it is an ordinary token, which servers refuse in a subject.
  private boolean isRest(int token) {
    return token == tokens.length - 1 && tokens[token].equals(REST);
  }
}
