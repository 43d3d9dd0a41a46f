package dev.contrail.jetstream.micrometer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Puts subjects into few classes, for labels: a token that holds a digit, or is long, names a thing
 * and not a kind of things, and becomes {@code *}; of long subjects the first tokens count. Once
 * there are {@value #MOST} classes, whatever is in none of them is {@link #OTHER}.
 */
final class SubjectClasses {
  static final int MOST = 50;
  static final String OTHER = "_other";
  private static final int MOST_TOKENS = 4;
  private static final int LONGEST_TOKEN = 32;

  private final Set<String> known = ConcurrentHashMap.newKeySet();

  String of(String subject) {
    String found = classOf(subject);
    if (known.contains(found)) {
      return found;
    }
    synchronized (this) {
      boolean named = known.contains(found) || (known.size() < MOST && known.add(found));
      return named ? found : OTHER;
    }
  }

  static String classOf(String subject) {
    StringBuilder name = new StringBuilder();
    int from = 0;
    for (int tokens = 0; from <= subject.length(); tokens++) {
      int end = subject.indexOf('.', from);
      end = end < 0 ? subject.length() : end;
      if (tokens > 0) {
        name.append('.');
      }
      if (tokens == MOST_TOKENS) {
        return name.append('>').toString();
      }
      if (isName(subject, from, end)) {
        name.append('*');
      } else {
        name.append(subject, from, end);
      }
      from = end + 1;
    }
    return name.toString();
  }

  private static boolean isName(String subject, int from, int end) {
    boolean digit = false;
    for (int i = from; i < end; i++) {
      digit |= Character.isDigit(subject.charAt(i));
    }
    return digit || end - from > LONGEST_TOKEN;
  }
}
