package dev.contrail.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store that may be down. While it is, those who need it wait here under their lease, and one of
 * them tries again after 1 s, 2 s, … 30 s, a different one each time, so that a single message that
 * the store will never take does not stand for the rest. The first success releases all.
 */
final class Store<M> {
  private static final long FIRST_WAIT = Duration.ofSeconds(1).toNanos();
  private static final long LONGEST_WAIT = Duration.ofSeconds(30).toNanos();

  private final Set<DeliveryState> needy;
  private final Consumer<InFlight<M>> ask;
  private final Deque<InFlight<M>> waiting = new ArrayDeque<>();
  private boolean down;
  private long wait;
  private long nextTryNanos;
  private @Nullable InFlight<M> probe;

  /**
   * @param needy the states in which a message still needs this store
   * @param ask sends the request that the message's state calls for
   */
  Store(Set<DeliveryState> needy, Consumer<InFlight<M>> ask) {
    this.needy = EnumSet.copyOf(needy);
    this.ask = ask;
  }

  boolean isDown() {
    return down;
  }

  int waiting() {
    return waiting.size();
  }

  void request(InFlight<M> message) {
    if (down) {
      waiting.add(message);
    } else {
      ask.accept(message);
    }
  }

  /** Returns whether the store had been down until now. */
  boolean answered() {
    if (!down) {
      return false;
    }
    down = false;
    probe = null;
    // Taken out first: a request that fails at once queues itself again.
    Deque<InFlight<M>> released = new ArrayDeque<>(waiting);
    waiting.clear();
    released.stream().filter(message -> needy.contains(message.state())).forEach(ask);
    return true;
  }

  /** Returns whether the store had been up until now. */
  boolean failed(InFlight<M> message, Now now) {
    waiting.add(message);
    boolean wasUp = !down;
    if (wasUp) {
      down = true;
      wait = FIRST_WAIT;
      nextTryNanos = now.nanos() + wait;
    } else if (message == probe) {
      probe = null;
      wait = Math.min(wait * 2, LONGEST_WAIT);
      nextTryNanos = now.nanos() + wait;
    }
    return wasUp;
  }

  void tick(Now now) {
    if (!down || now.nanos() - nextTryNanos < 0) {
      return;
    }
    waiting.removeIf(message -> !needy.contains(message.state()));
    if (probe != null && !needy.contains(probe.state())) {
      probe = null;
    }
    if (probe == null && !waiting.isEmpty()) {
      probe = waiting.remove();
      ask.accept(probe);
    }
  }
}
