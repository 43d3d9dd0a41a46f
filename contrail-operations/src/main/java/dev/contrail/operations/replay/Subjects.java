package dev.contrail.operations.replay;

import java.util.Collection;

/** Which subjects a filter of a stream or a consumer means. */
final class Subjects {
  private Subjects() {}

  static boolean anyMatches(Collection<String> filters, String subject) {
    return filters.stream().anyMatch(filter -> matches(filter, subject));
  }

  static boolean matches(String filter, String subject) {
    String[] wanted = filter.split("\\.", -1);
    String[] tokens = subject.split("\\.", -1);
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i].equals(">")) {
        return tokens.length > i;
      }
      if (i >= tokens.length || !(wanted[i].equals("*") || wanted[i].equals(tokens[i]))) {
        return false;
      }
    }
    return wanted.length == tokens.length;
  }
}
