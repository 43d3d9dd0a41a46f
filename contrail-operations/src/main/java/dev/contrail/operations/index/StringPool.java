package dev.contrail.operations.index;

import java.util.HashMap;
import java.util.Map;

/**
 * Keeps one of equal strings. Dead letters repeat each other: a hundred thousand of them have a
 * handful of classes, subjects and messages. What never repeats is not kept beyond a bound.
 */
final class StringPool {
  private static final int MOST = 20_000;

  private final Map<String, String> pool = new HashMap<>();

  String pooled(String text) {
    if (pool.size() < MOST) {
      String known = pool.putIfAbsent(text, text);
      return known == null ? text : known;
    }
    return pool.getOrDefault(text, text);
  }
}
