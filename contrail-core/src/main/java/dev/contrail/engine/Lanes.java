package dev.contrail.engine;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * The order in which messages are started. Ordinary ones go as they came. Suspects have a lane of
 * their own, highest count first, one at a time after a start of the worker; it doubles with every
 * suspect that ends with an outcome. So a message that kills its worker does so nearly alone, and
 * after an outage thousands of redeliveries are soon at full width again.
 */
final class Lanes<M> {
  private final int widest;
  private final Deque<InFlight<M>> ordinary = new ArrayDeque<>();
  private final PriorityQueue<InFlight<M>> suspects =
      new PriorityQueue<>(
          Comparator.<InFlight<M>, Boolean>comparing(message -> !message.mustRunAlone)
              .thenComparing(Comparator.<InFlight<M>>comparingLong(InFlight::deliveries).reversed())
              .thenComparingLong(InFlight::sequence));
  private final Set<InFlight<M>> started = new HashSet<>();
  private int width = 1;

  Lanes(int widest) {
    this.widest = widest;
  }

  void add(InFlight<M> message) {
    if (message.suspect) {
      suspects.add(message);
    } else {
      ordinary.add(message);
    }
  }

  /** The next that may start now. Entries that are no longer ready are passed over. */
  Optional<InFlight<M>> next() {
    while (!ordinary.isEmpty()) {
      InFlight<M> message = ordinary.poll();
      if (message.is(DeliveryState.READY)) {
        return Optional.of(message);
      }
    }
    return nextSuspect();
  }

  private Optional<InFlight<M>> nextSuspect() {
    while (!suspects.isEmpty()) {
      InFlight<M> message = suspects.element();
      if (!message.is(DeliveryState.READY)) {
        suspects.remove();
      } else if (hasRoomFor(message)) {
        suspects.remove();
        return Optional.of(message);
      } else {
        break;
      }
    }
    return Optional.empty();
  }

  private boolean hasRoomFor(InFlight<M> message) {
    // One that was let go before it began left no word here.
    started.removeIf(other -> !other.occupiesLane());
    if (started.stream().anyMatch(other -> other.alone)) {
      return false;
    }
    return message.mustRunAlone ? started.isEmpty() : started.size() < width;
  }

  /** It was taken from here and is being started. */
  void started(InFlight<M> message) {
    if (message.suspect) {
      message.alone = started.isEmpty() && (width == 1 || message.mustRunAlone);
      started.add(message);
    }
  }

  /** It no longer runs; {@code outcome} is whether it came to one. */
  void left(InFlight<M> message, boolean outcome) {
    if (started.remove(message) && outcome) {
      width = Math.min(width * 2, widest);
    }
  }

  /** Begins anew with those that are ready, in the order given. */
  void refill(Collection<InFlight<M>> ready) {
    ordinary.clear();
    suspects.clear();
    ready.forEach(this::add);
  }
}
