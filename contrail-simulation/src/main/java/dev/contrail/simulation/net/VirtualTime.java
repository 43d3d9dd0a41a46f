package dev.contrail.simulation.net;

import java.util.PriorityQueue;

/** A clock that moves on when there is nothing left to do at the moment. */
public final class VirtualTime {
  private record Event(long nanos, long order, Runnable task) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(nanos, other.nanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long now;
  private long order;

  /** It begins at that time, in nanoseconds since the epoch. */
  public VirtualTime(long nanos) {
    this.now = nanos;
  }

  public long now() {
    return now;
  }

  public void at(long nanos, Runnable task) {
    order++;
    events.add(new Event(Math.max(nanos, now), order, task));
  }

  public void in(long nanos, Runnable task) {
    at(now + nanos, task);
  }

  /** Does whatever is due until then, and makes it that time. */
  void runUntil(long nanos) {
    for (Event next = events.peek(); next != null && next.nanos() <= nanos; next = events.peek()) {
      step();
    }
    now = Math.max(now, nanos);
  }

  /** Does what is due next, and makes it the time for it; false when nothing is. */
  public boolean step() {
    Event next = events.poll();
    if (next == null) {
      return false;
    }
    now = next.nanos();
    next.task().run();
    return true;
  }
}
