package dev.contrail.simulation.net;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A TCP connection between a process and the server: in order each way, until it breaks. What is
 * under way then may get lost.
 */
final class Link {
  private static final long LATENCY = 400_000;

  private final VirtualTime time;
  private final SplittableRandom random;
  private final List<String> subscriptions = new ArrayList<>();
  private final SimulatedConnection client;
  private long up;
  private long down;
  private long lostFrom = Long.MAX_VALUE;

  Link(SimulatedConnection client, VirtualTime time, SplittableRandom random) {
    this.client = client;
    this.time = time;
    this.random = random;
  }

  SimulatedConnection client() {
    return client;
  }

  boolean isBroken() {
    return time.now() >= lostFrom;
  }

  void breakAt(long nanos) {
    lostFrom = Math.min(lostFrom, nanos);
  }

  /** Nothing arrives before then. */
  void stallUntil(long nanos) {
    up = Math.max(up, nanos);
    down = Math.max(down, nanos);
  }

  void up(Runnable arrives) {
    up = Math.max(up, time.now() + latency());
    pass(up, arrives);
  }

  void down(Runnable arrives, long delay) {
    down = Math.max(down, time.now() + latency() + delay);
    pass(down, () -> client.process().at(time.now(), arrives));
  }

  private void pass(long when, Runnable arrives) {
    time.at(
        when,
        () -> {
          if (when < lostFrom) {
            arrives.run();
          }
        });
  }

  private long latency() {
    return LATENCY / 4 + random.nextLong(LATENCY);
  }

  // What the server knows.

  void subscribe(String subject) {
    subscriptions.add(subject);
  }

  void unsubscribe(String subject) {
    subscriptions.remove(subject);
  }

  boolean listensTo(String subject) {
    if (subject.startsWith(SimulatedConnection.REQUESTS)) {
      return true;
    }
    for (String pattern : subscriptions) {
      if (subject.startsWith(pattern.substring(0, pattern.length() - 1))) {
        return true;
      }
    }
    return false;
  }
}
