package dev.contrail.engine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Lets only so many requests to a store be under way at once, and one at a time of each message, or
 * an answer could not be told from that to the one before. The others wait here in their order: a
 * store that comes back must not be flooded, nor the leases stand in line behind the flood.
 */
final class Throttle<M> implements Requests<M> {
  private final int most;
  private final long mostBytes;
  private final Predicate<InFlight<M>> needy;
  private final Consumer<InFlight<M>> ask;
  private final Set<InFlight<M>> queued = new LinkedHashSet<>();
  private final Set<InFlight<M>> underWay = new HashSet<>();
  private long bytes;

  /**
   * Nothing is under way yet.
   *
   * @param most how many may be under way
   * @param mostBytes what their messages may weigh in all, unless it is only one
   * @param needy whether a message still needs this
   * @param ask sends the request
   */
  Throttle(int most, long mostBytes, Predicate<InFlight<M>> needy, Consumer<InFlight<M>> ask) {
    this.most = most;
    this.mostBytes = mostBytes;
    this.needy = needy;
    this.ask = ask;
  }

  @Override
  public int queued() {
    return queued.size();
  }

  @Override
  public void request(InFlight<M> message) {
    if (!isUnderWay(message)) {
      queued.add(message);
      sendQueued();
    }
  }

  @Override
  public void requestNow(InFlight<M> message) {
    if (underWay.add(message)) {
      bytes += message.bytes();
      ask.accept(message);
    }
  }

  @Override
  public void answered(InFlight<M> message) {
    if (underWay.remove(message)) {
      bytes -= message.bytes();
    }
    sendQueued();
  }

  @Override
  public boolean isUnderWay(InFlight<M> message) {
    return underWay.contains(message);
  }

  @Override
  public List<InFlight<M>> takeQueued() {
    List<InFlight<M>> taken = new ArrayList<>(queued);
    queued.clear();
    return taken;
  }

  private void sendQueued() {
    Iterator<InFlight<M>> inOrder = queued.iterator();
    while (inOrder.hasNext()) {
      InFlight<M> next = inOrder.next();
      boolean needed = needy.test(next);
      if (needed && !hasRoomFor(next)) {
        return;
      }
      inOrder.remove();
      if (needed) {
        requestNow(next);
      }
    }
  }

  private boolean hasRoomFor(InFlight<M> message) {
    return underWay.isEmpty() || (underWay.size() < most && bytes + message.bytes() <= mostBytes);
  }
}
