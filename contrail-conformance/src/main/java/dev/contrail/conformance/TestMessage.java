package dev.contrail.conformance;

import dev.contrail.ledger.LedgerEntry;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

/** A message of a stream that gets one a millisecond. */
record TestMessage(long sequence, long publishedMillis) implements LedgerEntry {
  private static final long FIRST_MILLIS = 1_700_000_000_000L;

  /** However large a sequence is, its message was published in a year that people may see. */
  private static final long MOST_MILLIS = 1L << 40;

  static TestMessage of(long sequence) {
    return new TestMessage(sequence, FIRST_MILLIS + Math.min(sequence, MOST_MILLIS));
  }

  static List<TestMessage> range(long from, long to) {
    return LongStream.rangeClosed(from, to).mapToObj(TestMessage::of).toList();
  }

  /** Another that has its sequence. */
  TestMessage publishedLaterBy(Duration time) {
    return new TestMessage(sequence, publishedMillis + time.toMillis());
  }
}
