package dev.contrail.bench;

import dev.contrail.ledger.log.LedgerLog;
import dev.contrail.ledger.log.LedgerPort;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A log without a server: whatever is appended is confirmed and read at once, in a time of its own.
 */
final class LoopbackLog implements LedgerPort {
  /** What the server's file store adds to a message and its subject. */
  private static final int OVERHEAD = 30;

  /** As long as that of a stream and consumer with names of the usual length. */
  private static final int SUBJECT = "contrail.ledger.ORDERS.billing.ho77nadw1d.".length();

  private static final long STEP_NANOS = 1_000_000;

  private record Stored(long place, int bytes) {}

  private final Deque<Consumer<LedgerLog>> appended = new ArrayDeque<>();
  private final Map<String, Deque<Stored>> stored = new HashMap<>();
  private long places;
  private long reading;
  private long nowNanos;

  long nowNanos() {
    return nowNanos;
  }

  @Override
  public void publish(long id, String token, byte[] record) {
    long place = ++places;
    appended.add(
        log -> {
          log.published(id, place, nowNanos);
          log.tailed(reading, place, token, record, nowNanos / 1_000_000, nowNanos);
        });
    stored
        .computeIfAbsent(token, t -> new ArrayDeque<>())
        .add(new Stored(place, OVERHEAD + SUBJECT + token.length() + record.length));
  }

  @Override
  public void purge(String token, long place) {
    stored.getOrDefault(token, new ArrayDeque<>()).removeIf(one -> one.place < place);
  }

  @Override
  public void read(long newReading, long fromPlace) {
    reading = newReading;
  }

  @Override
  public void upkeepFailed(Throwable cause) {
    throw new IllegalStateException(cause);
  }

  @Override
  public void sequenceReused(long sequence) {
    throw new IllegalStateException("sequence " + sequence + " was never used before");
  }

  /** Confirms and reads what was appended, and what that brought about, a moment later. */
  void settle(LedgerLog log) {
    nowNanos += STEP_NANOS;
    Consumer<LedgerLog> next;
    while ((next = appended.poll()) != null) {
      next.accept(log);
    }
  }

  /** Lets time pass. */
  void pass(LedgerLog log, long nanos) {
    nowNanos += nanos;
    log.tick(nowNanos);
    settle(log);
  }

  /** What the server would report as the size of the stream. */
  long bytes() {
    return stored.values().stream().flatMap(Deque::stream).mapToLong(Stored::bytes).sum();
  }

  long records() {
    return stored.values().stream().mapToLong(Deque::size).sum();
  }
}
