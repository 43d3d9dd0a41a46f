package dev.contrail.ledger.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** A log as a server keeps it: records at ascending places, and gaps where some were purged. */
final class ModelLog {
  static final class Stored {
    private final long place;
    private final String token;
    private final byte[] data;
    private final long storedMillis;

    Stored(long place, String token, byte[] data, long storedMillis) {
      this.place = place;
      this.token = token;
      this.data = data;
      this.storedMillis = storedMillis;
    }

    long place() {
      return place;
    }

    String token() {
      return token;
    }

    byte[] data() {
      return data;
    }

    long storedMillis() {
      return storedMillis;
    }
  }

  private final TreeMap<Long, Stored> records = new TreeMap<>();
  private long last;

  long append(String token, byte[] data, long nowMillis) {
    last++;
    records.put(last, new Stored(last, token, data, nowMillis));
    return last;
  }

  void purge(String token, long below) {
    records.headMap(below).values().removeIf(stored -> stored.token.equals(token));
  }

  /** The first that is there from that place on. */
  Optional<Stored> next(long from) {
    return Optional.ofNullable(records.ceilingEntry(from)).map(entry -> entry.getValue());
  }

  long last() {
    return last;
  }

  /** Deleted and made again: nothing is left, and places begin anew. */
  void remake() {
    records.clear();
    last = 0;
  }

  List<Stored> records() {
    return new ArrayList<>(records.values());
  }
}
