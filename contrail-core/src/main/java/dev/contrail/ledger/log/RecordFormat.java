package dev.contrail.ledger.log;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
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
  private static final int LONGEST_NUMBER = 10;

  /** A record and who wrote it. */
  record Written(int writer, LedgerRecord record) {}

  private RecordFormat() {}

  static byte[] barrier(int writer) {
    return bytes(begin(0, BARRIER, writer));
  }

  /** The {@code count} first of {@code lows}, which are ascending and may repeat. */
  static byte[] completions(int writer, int[] lows, int count, long publishedMillis) {
    ByteBuffer out = begin(LONGEST_NUMBER + 6 * count, COMPLETIONS, writer);
    number(out, publishedMillis);
    int next = 0;
    for (int i = 0; i < count; ) {
      int from = lows[i];
      int to = from;
      while (++i < count && lows[i] <= to + 1) {
        to = lows[i];
      }
      number(out, from - next);
      number(out, to - from);
      next = to + 1;
    }
    return bytes(out);
  }

  static byte[] snapshot(int writer, LedgerRecord.Snapshot snapshot, BlockKey block) {
    RoaringBitmap bits = snapshot.completed();
    PublishTimes times = snapshot.times();
    int room = LONGEST_NUMBER * (3 + 2 * times.size()) + bits.serializedSizeInBytes();
    ByteBuffer out = begin(room, SNAPSHOT, writer);
    number(out, snapshot.covers());
    number(out, snapshot.forgotten());
    number(out, times.size());
    long sequence = block.first();
    long millis = 0;
    for (int step = 0; step < times.size(); step++) {
      number(out, times.sequence(step) - sequence);
      number(out, times.millis(step) - millis);
      sequence = times.sequence(step);
      millis = times.millis(step);
    }
    bits.serialize(out);
    return bytes(out);
  }

  static byte[] forget(int writer, int from, int to) {
    ByteBuffer out = begin(2 * LONGEST_NUMBER, FORGET, writer);
    number(out, from);
    number(out, to);
    return bytes(out);
  }

  /**
   * Reads a record.
   *
   * @throws LedgerFormatException when it is none, or of a newer release
   */
  static Written read(BlockKey block, byte[] data) {
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
      return new Written(in.getInt(), record(kind, in, block));
    } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new LedgerFormatException("The ledger holds a record that cannot be read.", e);
    }
  }

  private static LedgerRecord record(byte kind, ByteBuffer in, BlockKey block) {
    return switch (kind) {
      case BARRIER -> new LedgerRecord.Barrier();
      case COMPLETIONS -> completions(in);
      case SNAPSHOT -> snapshot(in, block);
      case FORGET -> new LedgerRecord.Forget(low(number(in)), low(number(in)));
      default -> throw new IllegalArgumentException("no such kind of record: " + kind);
    };
  }

  private static LedgerRecord completions(ByteBuffer in) {
    long publishedMillis = number(in);
    RoaringBitmap lows = new RoaringBitmap();
    long next = 0;
    do {
      int from = low(next + number(in));
      int to = low(from + number(in));
      lows.add((long) from, to + 1L);
      next = to + 1L;
    } while (in.hasRemaining());
    return new LedgerRecord.Completions(lows, publishedMillis);
  }

  private static LedgerRecord snapshot(ByteBuffer in, BlockKey block) {
    long covers = number(in);
    long forgotten = number(in);
    PublishTimes times = new PublishTimes();
    long sequence = block.first();
    long millis = 0;
    for (long step = number(in); step > 0; step--) {
      sequence += number(in);
      millis += number(in);
      times.add(sequence, millis);
    }
    // A copy: what came from the network is not to be kept alive by a few bits of it.
    RoaringBitmap bits = new ImmutableRoaringBitmap(in.slice()).toRoaringBitmap();
    return new LedgerRecord.Snapshot(covers, forgotten, times, bits);
  }

  private static int low(long number) {
    if (number < 0 || number > BlockKey.LOW) {
      throw new IllegalArgumentException("outside of the block: " + number);
    }
    return (int) number;
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
