package dev.contrail.operations.index;

/** Names of classes as people write them: an inner one as {@code Outer.Inner} too. */
final class ClassNames {
  private ClassNames() {}

  /** Whether a name is that of a class, or its end from some part on. */
  static boolean endsWith(String full, String name) {
    int start = full.length() - name.length();
    if (name.isEmpty() || start < 0 || (start > 0 && !isSeparator(full.charAt(start - 1)))) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      char here = full.charAt(start + i);
      char wanted = name.charAt(i);
      if (here != wanted && !(isSeparator(here) && isSeparator(wanted))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSeparator(char c) {
    return c == '.' || c == '$';
  }
}
