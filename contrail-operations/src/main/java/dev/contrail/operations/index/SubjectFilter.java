package dev.contrail.operations.index;

/** Which subjects a filter with the wildcards {@code *} and {@code >} means. */
final class SubjectFilter {
  private final String[] wanted;

  SubjectFilter(String filter) {
    this.wanted = filter.split("\\.", -1);
  }

  boolean accepts(String subject) {
    int start = 0;
    for (int i = 0; i < wanted.length; i++) {
      if (start > subject.length()) {
        return false;
      }
      if (wanted[i].equals(">")) {
        return start < subject.length();
      }
      int dot = subject.indexOf('.', start);
      int end = dot < 0 ? subject.length() : dot;
      boolean same =
          wanted[i].equals("*")
              || (wanted[i].length() == end - start && subject.startsWith(wanted[i], start));
      if (!same) {
        return false;
      }
      start = end + 1;
    }
    return start == subject.length() + 1;
  }
}
