package dev.contrail.testkit;

import dev.contrail.ledger.LedgerEntry;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

/** A message of a stream that gets one a millisecond. */
record TestMessage(long sequence, long publishedMillis) implements LedgerEntry {
  private static final long FIRST_MILLIS = 1_700_000_000_000L;

  static TestMessage of(long sequence) {
    return new TestMessage(sequence, FIRST_MILLIS + sequence);
  }

  static List<TestMessage> range(long from, long to) {
    return LongStream.rangeClosed(from, to).mapToObj(TestMessage::of).toList();
  }

  /** Another that has its sequence. */
  TestMessage publishedLaterBy(Duration time) {
    return new TestMessage(sequence, publishedMillis + time.toMillis());
  }
}
