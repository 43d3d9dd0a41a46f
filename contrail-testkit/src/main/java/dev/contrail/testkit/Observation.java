package dev.contrail.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was observed at one time. Collections, maps and arrays are copied, for what is compared
 * later must not have changed meanwhile.
 */
record Observation(@Nullable Object value, String text) {
  static Observation of(@Nullable Object observed) {
    Object copy = copy(observed);
    return new Observation(copy, String.valueOf(copy));
  }

  private static @Nullable Object copy(@Nullable Object observed) {
    if (observed instanceof Collection<?> elements) {
      List<@Nullable Object> copies = new ArrayList<>();
      elements.forEach(element -> copies.add(copy(element)));
      return copies;
    }
    if (observed instanceof Map<?, ?> map) {
      Map<@Nullable Object, @Nullable Object> copies = new LinkedHashMap<>();
      map.forEach((key, value) -> copies.put(copy(key), copy(value)));
      return copies;
    }
    if (observed instanceof Object[] elements) {
      return copy(Arrays.asList(elements));
    }
    if (observed instanceof byte[] bytes) {
      return Arrays.toString(bytes);
    }
    if (observed instanceof Number || observed instanceof CharSequence) {
      // An AtomicInteger or a StringBuilder would change with the next run.
      return observed.toString();
    }
    return comparable(observed);
  }

  /** One that is told by its identity alone looks the same, whatever happens to it. */
  private static @Nullable Object comparable(@Nullable Object observed) {
    if (observed == null || overrides(observed.getClass(), "equals", Object.class)) {
      return observed;
    }
    if (overrides(observed.getClass(), "toString")) {
      return observed.toString();
    }
    throw new IllegalArgumentException(
        "what was observed, a "
            + observed.getClass().getName()
            + ", has neither equals nor toString, so that two observations cannot be compared;"
            + " observe a number, a text, a collection or a record");
  }

  private static boolean overrides(Class<?> type, String method, Class<?>... parameters) {
    try {
      return type.getMethod(method, parameters).getDeclaringClass() != Object.class;
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
