package dev.contrail.bench;

import dev.contrail.ledger.LedgerEntry;
import dev.contrail.ledger.log.LedgerLog;
import dev.contrail.ledger.log.LedgerPort;
import dev.contrail.ledger.log.LedgerTimes;
import dev.contrail.ledger.log.Recording;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/** The records that many completions leave in a ledger stream, made without a server. */
final class LedgerRecords implements LedgerPort {
  private static final int PER_RECORD = 2_000;
  private static final long TICK = Duration.ofSeconds(1).toNanos();
  private static final long REST = Duration.ofMinutes(2).toNanos();

  /** One record. */
  @SuppressWarnings("ArrayRecordComponent") // made to be published, not to be compared
  record Stored(String token, byte[] bytes) {}

  private record Message(long sequence, long publishedMillis) implements LedgerEntry {}

  private record Batch(List<Message> messages) implements Recording {
    @Override
    public void done() {}

    @Override
    public void fail(Throwable cause) {
      throw new IllegalStateException(cause);
    }
  }

  private final LoopbackLog loopback = new LoopbackLog();
  private final Map<Long, Stored> stored = new TreeMap<>();
  private long places;

  private LedgerRecords() {}

  /**
   * Of the sequences up to the last that are told, published since then, ten in a millisecond.
   *
   * @return in the order in which they are to be stored
   */
  static List<Stored> of(long last, LongPredicate completed, long sinceMillis) {
    LedgerRecords records = new LedgerRecords();
    LedgerLog log = new LedgerLog(1, LedgerTimes.DEFAULT, records);
    log.start(records.loopback.nowNanos());
    List<Message> messages = new ArrayList<>(PER_RECORD);
    for (long sequence = 1; sequence <= last; sequence++) {
      if (completed.test(sequence)) {
        messages.add(new Message(sequence, sinceMillis + sequence / 10));
      }
      if (messages.size() == PER_RECORD || sequence == last) {
        log.record(new Batch(List.copyOf(messages)), records.loopback.nowNanos());
        records.loopback.settle(log);
        messages.clear();
      }
    }
    for (long passed = 0; passed < REST; passed += TICK) {
      records.loopback.pass(log, TICK);
    }
    log.close();
    return List.copyOf(records.stored.values());
  }

  @Override
  public void publish(long id, String token, byte[] record) {
    stored.put(++places, new Stored(token, record));
    loopback.publish(id, token, record);
  }

  @Override
  public void purge(String token, long place) {
    Iterator<Map.Entry<Long, Stored>> all = stored.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Long, Stored> one = all.next();
      if (one.getKey() >= place) {
        break;
      }
      if (one.getValue().token().equals(token)) {
        all.remove();
      }
    }
    loopback.purge(token, place);
  }

  @Override
  public void read(long reading, long fromPlace) {
    loopback.read(reading, fromPlace);
  }

  @Override
  public void upkeepFailed(Throwable cause) {
    loopback.upkeepFailed(cause);
  }

  @Override
  public void sequenceReused(long sequence) {
    loopback.sequenceReused(sequence);
  }
}
