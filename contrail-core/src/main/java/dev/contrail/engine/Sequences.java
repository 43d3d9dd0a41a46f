package dev.contrail.engine;

import java.util.AbstractCollection;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Messages by sequence. A table of its own, since every message enters and leaves it: one without
 * boxed keys and without entries of their own.
 */
final class Sequences<M> {
  private static final int LEAST = 64;

  /** 2^64 divided by the golden ratio, odd. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  /** Open addressing: where the place of a sequence is taken, the next free one is its own. */
  private @Nullable InFlight<M>[] places = places(LEAST);

  private int size;
  private int changes;

  int size() {
    return size;
  }

  @Nullable InFlight<M> find(long sequence) {
    InFlight<M>[] table = places;
    int at = home(sequence, table.length);
    InFlight<M> found = table[at];
    while (found != null && found.sequence() != sequence) {
      at = next(at, table.length);
      found = table[at];
    }
    return found;
  }

  /** Adds one whose sequence is not among them. */
  void add(InFlight<M> message) {
    if (2 * size >= places.length) {
      grow();
    }
    put(message);
    size++;
    changes++;
  }

  /** Removes this very one; returns whether it was there. */
  boolean remove(InFlight<M> message) {
    InFlight<M>[] table = places;
    int at = home(message.sequence(), table.length);
    while (table[at] != message) {
      if (table[at] == null) {
        return false;
      }
      at = next(at, table.length);
    }
    close(table, at);
    size--;
    changes++;
    return true;
  }

  /** All of them, for as long as none is added or removed. */
  Collection<InFlight<M>> all() {
    return new AbstractCollection<>() {
      @Override
      public Iterator<InFlight<M>> iterator() {
        return new All();
      }

      @Override
      public int size() {
        return size;
      }
    };
  }

  /** Those that stand behind, and would not be found any more, move up. */
  private static <M> void close(@Nullable InFlight<M>[] table, int hole) {
    int free = hole;
    int at = next(free, table.length);
    InFlight<M> moved = table[at];
    while (moved != null) {
      int home = home(moved.sequence(), table.length);
      boolean reachable = ((at - home) & (table.length - 1)) >= ((at - free) & (table.length - 1));
      if (reachable) {
        table[free] = moved;
        free = at;
      }
      at = next(at, table.length);
      moved = table[at];
    }
    table[free] = null;
  }

  private void grow() {
    InFlight<M>[] old = places;
    places = places(2 * old.length);
    for (InFlight<M> message : old) {
      if (message != null) {
        put(message);
      }
    }
  }

  private void put(InFlight<M> message) {
    int at = home(message.sequence(), places.length);
    while (places[at] != null) {
      at = next(at, places.length);
    }
    places[at] = message;
  }

  /** Spread out, for with a filter every hundredth or thousandth sequence may be all there are. */
  private static int home(long sequence, int length) {
    return (int) ((sequence * SPREAD) >>> (Long.numberOfLeadingZeros(length) + 1));
  }

  private static int next(int at, int length) {
    return (at + 1) & (length - 1);
  }

  @SuppressWarnings("unchecked")
  private static <M> @Nullable InFlight<M>[] places(int length) {
    return (InFlight<M>[]) new InFlight<?>[length];
  }

  private final class All implements Iterator<InFlight<M>> {
    private final @Nullable InFlight<M>[] table = places;
    private final int changesBefore = changes;
    private int at = following(0);

    @Override
    public boolean hasNext() {
      return at < table.length;
    }

    @Override
    public InFlight<M> next() {
      if (changes != changesBefore) {
        throw new ConcurrentModificationException();
      }
      InFlight<M> message = hasNext() ? table[at] : null;
      if (message == null) {
        throw new NoSuchElementException();
      }
      at = following(at + 1);
      return message;
    }

    private int following(int from) {
      int found = from;
      while (found < table.length && table[found] == null) {
        found++;
      }
      return found;
    }
  }
}
