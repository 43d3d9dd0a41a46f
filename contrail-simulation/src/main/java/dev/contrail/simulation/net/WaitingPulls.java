package dev.contrail.simulation.net;

import io.nats.client.impl.Headers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Predicate;

/** The pulls that wait on one consumer, each in its turn. */
final class WaitingPulls {
  /** What there is to deliver next, if anything; sends it on that pull. */
  interface Source {
    boolean deliver(WaitingPull pull);
  }

  private final Deque<WaitingPull> waiting = new ArrayDeque<>();

  void add(WaitingPull pull) {
    waiting.add(pull);
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  void forget(Predicate<WaitingPull> which) {
    waiting.removeIf(which);
  }

  void serve(Source source) {
    while (!waiting.isEmpty()) {
      WaitingPull next = waiting.remove();
      if (!next.link.listensTo(next.replyTo)) {
        continue;
      }
      if (!source.deliver(next)) {
        waiting.addFirst(next);
        return;
      }
      next.left--;
      if (next.left > 0) {
        waiting.add(next);
      }
    }
  }

  /** All of them end, for that reason. */
  void endAll(int code, String why) {
    waiting.forEach(pull -> end(pull, code, why));
    waiting.clear();
  }

  /** What time brings about. */
  void tick(long now) {
    for (Iterator<WaitingPull> pulls = waiting.iterator(); pulls.hasNext(); ) {
      WaitingPull pull = pulls.next();
      if (pull.endsNanos <= now) {
        pulls.remove();
        end(pull, 408, "Request Timeout");
      } else if (pull.dueNanos() <= now) {
        pull.signNanos = now;
        say(pull, 100, "Idle Heartbeat", new Headers());
      }
    }
  }

  long dueNanos() {
    long due = Long.MAX_VALUE;
    for (WaitingPull pull : waiting) {
      due = Math.min(due, pull.dueNanos());
    }
    return due;
  }

  private static void end(WaitingPull pull, int code, String why) {
    say(pull, code, why, new Headers().put("Nats-Pending-Messages", Integer.toString(pull.left)));
  }

  static void say(WaitingPull pull, int code, String text, Headers headers) {
    if (pull.link.listensTo(pull.replyTo)) {
      pull.link.down(
          () ->
              pull.link
                  .client()
                  .receive(
                      pull.replyTo, SimulatedMessage.status(pull.replyTo, code, text, headers)),
          0);
    }
  }
}
