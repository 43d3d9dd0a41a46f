package dev.contrail.ledger.log;

import java.util.Optional;

/**
 * Names one block of a ledger: 65,536 sequences of a stream, in one epoch. A stream that hands out
 * sequences again begins a new epoch.
 *
 * @param epoch from 1 on
 * @param number the sequence divided by 65,536
 */
public record BlockKey(int epoch, long number) implements Comparable<BlockKey> {
  static final int BITS = 16;
  static final int LOW = (1 << BITS) - 1;
  static final int FIRST_EPOCH = 1;
  private static final char SEPARATOR = '-';

  static BlockKey of(int epoch, long sequence) {
    return new BlockKey(epoch, sequence >>> BITS);
  }

  /** The first sequence in it. */
  public long first() {
    return number << BITS;
  }

  /** The last sequence in it. */
  public long last() {
    return first() + LOW;
  }

  /**
   * What stands for it at the end of a subject: {@code 17}, from the second epoch on {@code 2-17}.
   */
  public String token() {
    return epoch == FIRST_EPOCH ? Long.toString(number) : epoch + "-" + number;
  }

  /** The block that the end of a subject stands for; empty when it stands for none. */
  public static Optional<BlockKey> parse(String token) {
    int separator = token.indexOf(SEPARATOR);
    try {
      int epoch = separator < 0 ? FIRST_EPOCH : Integer.parseInt(token, 0, separator, 10);
      return Optional.of(
          new BlockKey(epoch, Long.parseLong(token, separator + 1, token.length(), 10)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  @Override
  public int compareTo(BlockKey other) {
    int byEpoch = Integer.compare(epoch, other.epoch);
    return byEpoch == 0 ? Long.compare(number, other.number) : byEpoch;
  }
}
