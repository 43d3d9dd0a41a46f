package dev.contrail.engine;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One thing asked of a store that may be down. While it is, those who need it wait here under their
 * lease, and one of them tries again after 1 s, 2 s, … 30 s, a different one each time, so that a
 * single message that the store will never take does not stand for the rest. The first success
 * releases all, each in its turn. A message that the store fails alone waits alone, whether the
 * store is down or not.
 */
final class Store<M> {
  private final Predicate<InFlight<M>> needy;
  private final Requests<M> requests;
  private final Set<InFlight<M>> waiting = new LinkedHashSet<>();
  private final Refusals<M> refusals;
  private final Wait wait = new Wait();
  private boolean down;
  private @Nullable InFlight<M> probe;

  /**
   * A store that is up.
   *
   * @param needy whether a message still needs this
   * @param requests the way to it
   */
  Store(Predicate<InFlight<M>> needy, Requests<M> requests) {
    this.needy = needy;
    this.requests = requests;
    this.refusals = new Refusals<>(needy, requests::requestNow);
  }

  boolean isDown() {
    return down;
  }

  /** Those that are kept from it since it is down, or refuses them. */
  int held() {
    return waiting.size() + refusals.size() + (probe == null ? 0 : 1);
  }

  /** The same, and those that merely wait for their turn. */
  int waiting() {
    return held() + requests.queued();
  }

  /** Whether it was asked for this message and has not answered yet. */
  boolean owesAnswer(InFlight<M> message) {
    return requests.isUnderWay(message);
  }

  void request(InFlight<M> message) {
    if (down) {
      waiting.add(message);
    } else {
      requests.request(message);
    }
  }

  void answered(InFlight<M> message) {
    refusals.remove(message);
    if (down) {
      down = false;
      probe = null;
      List<InFlight<M>> released = new ArrayList<>(waiting);
      waiting.clear();
      released.stream().filter(needy).forEach(requests::request);
    }
    requests.answered(message);
  }

  void failed(InFlight<M> message, Now now) {
    refusals.remove(message);
    if (needy.test(message)) {
      holdBack(message, now);
    }
    requests.answered(message);
  }

  private void holdBack(InFlight<M> message, Now now) {
    // Those whose turn has not come go first: they have not failed yet.
    waiting.addAll(requests.takeQueued());
    waiting.add(message);
    if (!down) {
      down = true;
      wait.begin(now);
    } else if (message == probe) {
      probe = null;
      wait.beginLonger(now);
    }
  }

  /** Failed for this message alone, which says nothing of the store. Returns whether it is news. */
  boolean refused(InFlight<M> message, Now now) {
    if (message == probe) {
      probe = null;
    }
    boolean news = needy.test(message) && refusals.add(message, now);
    requests.answered(message);
    return news;
  }

  void tick(Now now) {
    refusals.tick(now);
    if (!down || !wait.isOver(now)) {
      return;
    }
    waiting.removeIf(needy.negate());
    if (probe != null && !needy.test(probe)) {
      probe = null;
    }
    if (probe == null && !waiting.isEmpty()) {
      Iterator<InFlight<M>> first = waiting.iterator();
      probe = first.next();
      first.remove();
      requests.requestNow(probe);
    }
  }
}
