package dev.contrail.ledger.log;

import java.util.Optional;

/**
 * Names one block of a ledger: 65,536 sequences of a stream.
 *
 * @param number the sequence divided by 65,536
 */
public record BlockKey(long number) implements Comparable<BlockKey> {
  static final int BITS = 16;
  static final int LOW = (1 << BITS) - 1;
  private static final String FORGET = "-forget";

  static BlockKey of(long sequence) {
    return new BlockKey(sequence >>> BITS);
  }

  /** What is left of a sequence within its block. */
  static int low(long sequence) {
    return (int) (sequence & LOW);
  }

  /** The first sequence in it. */
  public long first() {
    return number << BITS;
  }

  /** The last sequence in it. */
  public long last() {
    return first() + LOW;
  }

  /** The end of the subject of its records. */
  public String token() {
    return Long.toString(number);
  }

  /**
   * The end of the subject of what is to be forgotten of it. One of their own, for these records
   * are never superfluous: a snapshot that does not know of one yet may come after it.
   */
  public String forgetToken() {
    return token() + FORGET;
  }

  /** The block to which the end of a subject belongs; empty when it belongs to none. */
  public static Optional<BlockKey> parse(String token) {
    if (token.equals(LedgerPort.BARRIER)) {
      return Optional.empty();
    }
    int end = token.endsWith(FORGET) ? token.length() - FORGET.length() : token.length();
    try {
      long number = Long.parseLong(token, 0, end, 10);
      return number < 0 ? Optional.empty() : Optional.of(new BlockKey(number));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  @Override
  public int compareTo(BlockKey other) {
    return Long.compare(number, other.number);
  }
}
