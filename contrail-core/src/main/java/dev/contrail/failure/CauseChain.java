package dev.contrail.failure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A throwable and its causes, outermost first, whatever its class does in {@code getCause()}. */
final class CauseChain {
  // A getCause() that makes a new exception each time never ends.
  private static final int DEEPEST = 1_000;

  private CauseChain() {}

  static List<Throwable> of(Throwable outermost) {
    List<Throwable> chain = new ArrayList<>();
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Throwable next = outermost;
    while (next != null && chain.size() < DEEPEST && seen.add(next)) {
      chain.add(next);
      next = causeOf(next);
    }
    return chain;
  }

  private static @Nullable Throwable causeOf(Throwable throwable) {
    try {
      return throwable.getCause();
    } catch (Throwable hostile) {
      // An exception that cannot tell its cause has none.
      return null;
    }
  }
}
