package dev.contrail.testkit;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.stream.Stream;

/** A throwable and its causes, outermost first, each once. */
final class Causes {
  private Causes() {}

  static Stream<Throwable> of(Throwable thrown) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    return Stream.iterate(thrown, link -> link != null && seen.add(link), Throwable::getCause);
  }
}
