package dev.contrail.engine;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Messages for which a store fails although it serves others. Each is held under its lease and
 * tried again by itself, with waits of its own.
 */
final class Refusals<M> {
  /** How many of them may be tried at once. */
  private static final int MOST = 4;

  private final Predicate<InFlight<M>> needy;
  private final Consumer<InFlight<M>> ask;
  private final Map<InFlight<M>, Wait> waits = new LinkedHashMap<>();
  private final Set<InFlight<M>> asked = new HashSet<>();

  Refusals(Predicate<InFlight<M>> needy, Consumer<InFlight<M>> ask) {
    this.needy = needy;
    this.ask = ask;
  }

  int size() {
    return waits.size();
  }

  /** Returns whether it was not among them before. */
  boolean add(InFlight<M> message, Now now) {
    asked.remove(message);
    Wait known = waits.get(message);
    if (known != null) {
      known.beginLonger(now);
      return false;
    }
    Wait first = new Wait();
    first.begin(now);
    waits.put(message, first);
    return true;
  }

  void remove(InFlight<M> message) {
    if (!waits.isEmpty()) {
      waits.remove(message);
      asked.remove(message);
    }
  }

  void tick(Now now) {
    if (waits.isEmpty()) {
      return;
    }
    waits.keySet().removeIf(needy.negate());
    asked.retainAll(waits.keySet());
    waits.forEach(
        (message, wait) -> {
          if (wait.isOver(now) && asked.size() < MOST && asked.add(message)) {
            ask.accept(message);
          }
        });
  }
}
