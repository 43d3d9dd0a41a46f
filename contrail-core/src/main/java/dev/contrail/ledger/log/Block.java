package dev.contrail.ledger.log;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.roaringbitmap.RoaringBitmap;

/** What the records of one block add up to. */
final class Block {
  /** Something forgotten, and where in the log that stands. */
  private record Forgotten(long place, int from, int to) {}

  private final BlockKey key;
  private final List<Layer> layers = new ArrayList<>(1);
  private final List<Forgotten> forgotten = new ArrayList<>(0);

  private long firstPlace;
  private long lastPlace;
  private long covered;
  private int sinceSnapshot;
  private long storedMillis;

  Block(BlockKey key) {
    this.key = key;
  }

  BlockKey key() {
    return key;
  }

  boolean contains(long sequence, long publishedMillis) {
    int low = BlockKey.low(sequence);
    for (Layer layer : layers) {
      if (layer.contains(low, publishedMillis)) {
        return true;
      }
    }
    return false;
  }

  /** Whether such a message cannot be of the stream that the block knows, however often renewed. */
  boolean excludes(long sequence, long publishedMillis) {
    int low = BlockKey.low(sequence);
    for (Layer layer : layers) {
      if (layer.agrees(low, publishedMillis)) {
        return false;
      }
    }
    return !layers.isEmpty();
  }

  /** Mostly one; more when sequences were used again. */
  List<Layer> layers() {
    return layers;
  }

  /** The layer with the message that was published last. */
  Optional<Layer> newest() {
    return layers.stream().max(Comparator.comparingLong(layer -> layer.times().last()));
  }

  /** What is completed of the sequences from one to another, in all layers together. */
  long completed(long from, long to) {
    long first = Math.max(from, key.first());
    long last = Math.min(to, key.last());
    long count = 0;
    for (Layer layer : layers) {
      count += first > last ? 0 : layer.completed(BlockKey.low(first), BlockKey.low(last));
    }
    return count;
  }

  /** The place in the log of its last record. */
  long lastPlace() {
    return lastPlace;
  }

  /** When its last record was stored. */
  long storedMillis() {
    return storedMillis;
  }

  /** How many records came since the last snapshot. */
  int sinceSnapshot() {
    return sinceSnapshot;
  }

  /** Up to which place in the log a snapshot makes the records of this block superfluous. */
  long covered() {
    return covered;
  }

  /** Whether it has seen records that a snapshot made superfluous. */
  boolean hasSuperfluous() {
    return firstPlace > 0 && firstPlace <= covered;
  }

  /** They are gone from the log. */
  void purged(long below) {
    firstPlace = Math.max(firstPlace, below);
  }

  /** The first sequence that somebody had it forget. */
  OptionalLong firstForgotten() {
    return forgotten.stream().mapToLong(it -> key.first() + it.from()).min();
  }

  /** Takes in the record at that place of the log. */
  void apply(long place, LedgerRecord record, long recordStoredMillis) {
    if (record instanceof LedgerRecord.Forget forget) {
      layers.forEach(layer -> layer.remove(forget.from(), forget.to()));
      forgotten.add(new Forgotten(place, forget.from(), forget.to()));
    } else {
      firstPlace = firstPlace == 0 ? place : firstPlace;
      if (record instanceof LedgerRecord.Completions completions) {
        layerFor(completions.times()).add(completions.lows(), completions.times());
        sinceSnapshot++;
      } else if (record instanceof LedgerRecord.Snapshot snapshot) {
        merge(snapshot, place);
      }
    }
    lastPlace = place;
    storedMillis = recordStoredMillis;
  }

  /**
   * Who has read everything learns nothing here. Who came late finds the records gone that it is
   * made of, but none of those after the last that it covers, and nothing that was forgotten.
   */
  private void merge(LedgerRecord.Snapshot snapshot, long place) {
    // It cannot cover itself: it is of a log that was deleted, and what this one holds is not in
    // it.
    long covers = snapshot.covers() < place ? snapshot.covers() : 0;
    for (Layer layer : snapshot.layers()) {
      RoaringBitmap news = layer.completed();
      for (Forgotten later : forgotten) {
        if (later.place > covers) {
          news.remove((long) later.from, later.to + 1L);
        }
      }
      layerFor(layer.times()).add(news, layer.times());
    }
    covered = Math.max(covered, covers);
    sinceSnapshot = 0;
  }

  /** The layer that they fit best; a new one when they contradict all. */
  private Layer layerFor(PublishTimes times) {
    Layer best = null;
    long nearest = Long.MAX_VALUE;
    for (Layer layer : layers) {
      if (layer.times().agree(times)) {
        long distance = layer.times().distance(times.low(0), times.millis(0));
        if (best == null || distance < nearest) {
          best = layer;
          nearest = distance;
        }
      }
    }
    if (best == null) {
      best = new Layer();
      layers.add(best);
    }
    return best;
  }

  /** All that it holds, as a record. */
  LedgerRecord.Snapshot snapshot() {
    layers.forEach(Layer::trim);
    return new LedgerRecord.Snapshot(lastPlace, layers);
  }
}
