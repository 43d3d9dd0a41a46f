package dev.contrail.ledger.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RoaringBitmap;
import org.roaringbitmap.buffer.ImmutableRoaringBitmap;

/**
 * Records as bytes: a version, a kind, the writer, and what the kind needs, in numbers of seven
 * bits a byte. Completions are runs: how many are left out, how many follow.
 */
final class RecordFormat {
  static final byte VERSION = 1;

  private static final byte BARRIER = 0;
  private static final byte COMPLETIONS = 1;
  private static final byte SNAPSHOT = 2;
  private static final byte FORGET = 3;
  private static final int HEAD = 6;

  /** How a bitmap begins that has runs; the number of its containers is in the same word. */
  private static final int COOKIE_WITH_RUNS = 12_347;

  private static final int LONGEST_LOW = 3;
  private static final int LONGEST_NUMBER = 10;

  /** A record and who wrote it. */
  record Written(int writer, LedgerRecord record) {}

  private RecordFormat() {}

  static byte[] barrier(int writer) {
    return bytes(begin(0, BARRIER, writer));
  }

  static byte[] completions(int writer, LedgerRecord.Completions completions) {
    RoaringBitmap lows = completions.lows();
    int room = room(completions.times()) + 2 * LONGEST_LOW * lows.getCardinality();
    ByteBuffer out = begin(room, COMPLETIONS, writer);
    put(out, completions.times());
    int next = 0;
    for (PeekableIntIterator rest = lows.getIntIterator(); rest.hasNext(); ) {
      int from = rest.next();
      int to = from;
      while (rest.hasNext() && rest.peekNext() == to + 1) {
        to = rest.next();
      }
      number(out, from - next);
      number(out, to - from);
      next = to + 1;
    }
    return bytes(out);
  }

  static byte[] snapshot(int writer, LedgerRecord.Snapshot snapshot) {
    int room = 2 * LONGEST_NUMBER;
    for (Layer layer : snapshot.layers()) {
      room += room(layer.times()) + LONGEST_NUMBER + layer.completed().serializedSizeInBytes();
    }
    ByteBuffer out = begin(room, SNAPSHOT, writer);
    number(out, snapshot.covers());
    number(out, snapshot.layers().size());
    for (Layer layer : snapshot.layers()) {
      put(out, layer.times());
      number(out, layer.completed().serializedSizeInBytes());
      layer.completed().serialize(out);
    }
    return bytes(out);
  }

  static byte[] forget(int writer, int from, int to) {
    ByteBuffer out = begin(2 * LONGEST_LOW, FORGET, writer);
    number(out, from);
    number(out, to);
    return bytes(out);
  }

  /**
   * Reads a record.
   *
   * @throws LedgerFormatException when it is none, or of a newer release
   */
  static Written read(byte[] data) {
    ByteBuffer in = ByteBuffer.wrap(data);
    try {
      byte version = in.get();
      if (version != VERSION) {
        throw new LedgerFormatException(
            "The ledger holds a record of version "
                + version
                + ", which this release does not read; it reads version "
                + VERSION
                + ".");
      }
      byte kind = in.get();
      Written written = new Written(in.getInt(), record(kind, in));
      require(!in.hasRemaining(), "more than a record");
      return written;
    } catch (LedgerFormatException e) {
      throw e;
    } catch (RuntimeException e) {
      // Whatever it is that bytes without meaning lead to.
      throw new LedgerFormatException("The ledger holds a record that cannot be read.", e);
    }
  }

  private static LedgerRecord record(byte kind, ByteBuffer in) {
    return switch (kind) {
      case BARRIER -> new LedgerRecord.Barrier();
      case COMPLETIONS -> completions(in);
      case SNAPSHOT -> snapshot(in);
      case FORGET -> new LedgerRecord.Forget(low(number(in)), low(number(in)));
      default -> throw new IllegalArgumentException("no such kind of record: " + kind);
    };
  }

  private static LedgerRecord completions(ByteBuffer in) {
    PublishTimes times = times(in, PublishTimes.unbounded());
    RoaringBitmap lows = new RoaringBitmap();
    long next = 0;
    while (in.hasRemaining()) {
      int from = low(next + number(in));
      int to = low(from + number(in));
      lows.add((long) from, to + 1L);
      next = to + 1L;
    }
    return new LedgerRecord.Completions(lows, times);
  }

  private static LedgerRecord snapshot(ByteBuffer in) {
    long covers = number(in);
    List<Layer> layers = new ArrayList<>(1);
    for (long layer = number(in); layer > 0; layer--) {
      PublishTimes times = times(in, PublishTimes.bounded());
      layers.add(new Layer(bits(in), times));
    }
    return new LedgerRecord.Snapshot(covers, layers);
  }

  private static RoaringBitmap bits(ByteBuffer in) {
    int length = Math.toIntExact(number(in));
    ByteBuffer slice = in.slice(in.position(), length);
    in.position(in.position() + length);
    require(containers(slice) <= 1, "of no block");
    // A copy: what came from the network is not to be kept alive by a few bits of it.
    RoaringBitmap bits = new ImmutableRoaringBitmap(slice).toRoaringBitmap();
    require(bits.validate(), "no bitmap");
    require(bits.isEmpty() || (bits.first() >= 0 && bits.last() <= BlockKey.LOW), "of no block");
    return bits;
  }

  /**
   * How many containers a bitmap says it has: each is of as many sequences as a block. The library
   * believes it and makes room for them.
   */
  private static int containers(ByteBuffer bitmap) {
    ByteBuffer head = bitmap.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    int cookie = head.getInt(0);
    boolean withRuns = (cookie & 0xFFFF) == COOKIE_WITH_RUNS;
    int containers = withRuns ? (cookie >>> 16) + 1 : head.getInt(Integer.BYTES);
    return containers < 0 ? Integer.MAX_VALUE : containers;
  }

  private static int room(PublishTimes times) {
    return LONGEST_NUMBER + (LONGEST_LOW + LONGEST_NUMBER) * times.size();
  }

  private static void put(ByteBuffer out, PublishTimes times) {
    number(out, times.size());
    int low = 0;
    long millis = 0;
    for (int i = 0; i < times.size(); i++) {
      number(out, times.low(i) - low);
      number(out, times.millis(i) - millis);
      low = times.low(i);
      millis = times.millis(i);
    }
  }

  private static PublishTimes times(ByteBuffer in, PublishTimes times) {
    long count = number(in);
    require(count > 0, "published at no time");
    int low = 0;
    long millis = 0;
    for (long i = 0; i < count; i++) {
      int further = low(number(in));
      require(further > 0 || i == 0, "a sequence twice");
      long later = number(in);
      require(later >= 0 && millis + later >= 0, "published at no time");
      low = low((long) low + further);
      millis += later;
      times.add(low, millis);
    }
    return times;
  }

  private static int low(long number) {
    require(number >= 0 && number <= BlockKey.LOW, "outside of the block");
    return (int) number;
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  private static ByteBuffer begin(int room, byte kind, int writer) {
    return ByteBuffer.allocate(HEAD + room).put(VERSION).put(kind).putInt(writer);
  }

  private static byte[] bytes(ByteBuffer out) {
    byte[] bytes = new byte[out.position()];
    out.flip().get(bytes);
    return bytes;
  }

  private static void number(ByteBuffer out, long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    out.put((byte) rest);
  }

  private static long number(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      byte next = in.get();
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("a number without an end");
  }
}
