package dev.contrail.redis;

import dev.contrail.ledger.LedgerEntry;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of some messages, which are the times at which completed ones were published: a
 * message with another time only has the sequence of one that was completed.
 */
final class MatchOutput extends CommandOutput<byte[], byte[], BitSet> {
  private final List<? extends LedgerEntry> messages;
  private final int from;
  private int next;
  private OptionalLong reused = OptionalLong.empty();
  private OptionalLong unreadable = OptionalLong.empty();

  /**
   * For the values of some of the messages.
   *
   * @param from the position of the first
   */
  MatchOutput(List<? extends LedgerEntry> messages, int from) {
    super(ByteArrayCodec.INSTANCE, new BitSet());
    this.messages = messages;
    this.from = from;
    this.next = from;
  }

  @Override
  public void multi(int count) {
    next = from;
  }

  @Override
  public void set(@Nullable ByteBuffer value) {
    if (value != null) {
      compare(messages.get(next), value);
    }
    next++;
  }

  private void compare(LedgerEntry message, ByteBuffer value) {
    long published = number(value);
    if (published == message.publishedMillis()) {
      get().set(next);
    } else if (published < 0) {
      unreadable = OptionalLong.of(message.sequence());
    } else {
      reused = OptionalLong.of(message.sequence());
    }
  }

  /** The sequence of a message that is not the one that was completed with it, if there is one. */
  OptionalLong reused() {
    return reused;
  }

  /** The sequence of a message whose value is none that is known, if there is one. */
  OptionalLong unreadable() {
    return unreadable;
  }

  private static long number(ByteBuffer value) {
    long number = 0;
    for (int i = value.position(); i < value.limit(); i++) {
      int digit = value.get(i) - '0';
      if (digit < 0 || digit > 9 || number > Long.MAX_VALUE / 10 - 1) {
        return -1;
      }
      number = 10 * number + digit;
    }
    return value.hasRemaining() ? number : -1;
  }
}
