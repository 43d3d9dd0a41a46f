package dev.contrail.jetstream;

import io.nats.client.Connection;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The inboxes of a connection whose messages go straight from the wire to whoever wants them. By
 * the client's way each is taken apart, queued for another thread, which is woken for it, and
 * handed over there; that takes more time than all that a worker does with a delivery.
 *
 * <p>Whoever opens one still subscribes as usual. What the connection then writes tells under which
 * number the server knows the subscription, here and after every reconnect.
 */
final class Shortcuts {
  /** Takes messages, on the thread that reads from the connection: at once, and without failing. */
  interface Taker {
    void take(WireMessage message);
  }

  private static final class Entry {
    final String subject;
    final long number;
    final WeakReference<Taker> taker;

    Entry(String subject, long number, WeakReference<Taker> taker) {
      this.subject = subject;
      this.number = number;
      this.taker = taker;
    }
  }

  private static final Map<Connection, Shortcuts> ALL =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final Map<String, WeakReference<Taker>> opened = new ConcurrentHashMap<>();
  private volatile List<Entry> known = List.of();

  static Shortcuts of(Connection connection) {
    return ALL.computeIfAbsent(connection, none -> new Shortcuts());
  }

  /**
   * To be called before the subject is subscribed to. The taker is not kept from here: it leads to
   * the connection, which would be kept for ever.
   */
  void open(String subject, Taker taker) {
    opened.put(subject, new WeakReference<>(taker));
  }

  /** What still comes takes the client's way. */
  synchronized void close(String subject) {
    opened.remove(subject);
    known = without(subject);
  }

  /** Whether any subscription's number is to be looked out for. */
  boolean isAnyOpen() {
    return !opened.isEmpty();
  }

  /** The connection is about to subscribe to the subject under that number. */
  synchronized void subscribed(String subject, long number) {
    WeakReference<Taker> taker = opened.get(subject);
    if (taker != null) {
      List<Entry> entries = without(subject);
      entries.add(new Entry(subject, number, taker));
      known = entries;
    }
  }

  private List<Entry> without(String subject) {
    List<Entry> entries = new ArrayList<>(known);
    entries.removeIf(entry -> entry.subject.equals(subject));
    return entries;
  }

  /** Whoever takes what comes for the subscription of that number, if there is somebody. */
  @Nullable Taker taker(long number) {
    List<Entry> entries = known;
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      if (entry.number == number) {
        return entry.taker.get();
      }
    }
    return null;
  }
}
