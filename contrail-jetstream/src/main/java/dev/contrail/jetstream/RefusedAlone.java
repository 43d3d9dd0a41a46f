package dev.contrail.jetstream;

import dev.contrail.engine.DeliveryState;
import dev.contrail.engine.InFlight;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Messages that are held since the store of dead letters refuses theirs, and serves others. On the
 * worker's thread.
 */
final class RefusedAlone {
  /** One of them, and where it was in its life when that began. */
  private record Held(DeliveryState state, Instant since) {}

  private final Map<InFlight<Delivered>, Held> held = new LinkedHashMap<>();

  void add(InFlight<Delivered> message, Instant now) {
    held.putIfAbsent(message, new Held(message.state(), now));
  }

  boolean isEmpty() {
    return held.isEmpty();
  }

  /** Takes those out of which the dead letter was stored, or is not needed any more. */
  List<InFlight<Delivered>> takeEnded() {
    List<InFlight<Delivered>> ended = new ArrayList<>();
    for (Iterator<Map.Entry<InFlight<Delivered>, Held>> all = held.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<InFlight<Delivered>, Held> one = all.next();
      if (one.getKey().state() != one.getValue().state()) {
        ended.add(one.getKey());
        all.remove();
      }
    }
    return ended;
  }

  /** Since when there are any, of those that are left. */
  Optional<Instant> since() {
    return held.values().stream().map(Held::since).min(Comparator.naturalOrder());
  }

  /** Such as {@code the dead letter of message 42}. */
  String inWords() {
    return held.size() == 1
        ? "the dead letter of message " + held.keySet().iterator().next().sequence()
        : "the dead letters of " + held.size() + " messages";
  }
}
