package dev.contrail.ledger.log;

import dev.contrail.ledger.LedgerEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A ledger as a log that all workers of a consumer write to and read, each keeping what it adds up
 * to in memory. One writer a worker: whenever completions or look-ups wait and few records are
 * under way, it appends one record with all the completions there are, perhaps none. When that is
 * confirmed, they are recorded; when it has come back on the way by which all records come,
 * whatever was confirmed before it was sent is known here, and the look-ups are answered from
 * memory. So one record is the commit of the last batch and the barrier of the next, and batches
 * grow with the load.
 *
 * <p>Without I/O and not thread-safe: every method is an event, and what is to be done goes out
 * through the {@link LedgerPort}.
 */
public final class LedgerLog {
  /** A confirmed record comes back within this, or the reader is at fault. */
  private static final long LONGEST_RETURN = Duration.ofSeconds(2).toNanos();

  private static final long BROKEN_FOR = Duration.ofSeconds(30).toNanos();
  private static final int MOST_UNDER_WAY = 4;

  private final long longestBarrier;
  private final LedgerPort port;
  private final Completions completions = new Completions();
  private final Drafts drafts;
  private final Compaction compaction;
  private final Renewals renewals;
  private final Tail tail;

  private final Waiting waiting = new Waiting();
  private final Map<Long, Flight> underWay = new HashMap<>();
  private final List<Flight> barriers = new ArrayList<>();

  private long ids;
  private int flights;
  private @Nullable Throwable broken;
  private long brokenNanos;
  private boolean closed;

  /**
   * An empty one; {@link #start} begins to read.
   *
   * @param writer tells the records of this worker from those of others
   */
  public LedgerLog(int writer, LedgerTimes times, LedgerPort port) {
    this.longestBarrier = times.longestBarrier().toNanos();
    this.port = port;
    this.drafts = new Drafts(writer);
    this.compaction = new Compaction(writer, times, port, completions, () -> ++ids);
    this.renewals = new Renewals(writer, port, () -> ++ids);
    this.tail = new Tail(port);
  }

  public void start(long nowNanos) {
    tail.start(nowNanos);
  }

  // What is asked of it.

  public void lookUp(LookUp lookUp, long nowNanos) {
    if (refuses(lookUp::fail)) {
      return;
    }
    waiting.add(lookUp);
    send(nowNanos);
  }

  public void record(Recording recording, long nowNanos) {
    if (refuses(recording::fail)) {
      return;
    }
    waiting.add(recording);
    send(nowNanos);
  }

  private boolean refuses(Consumer<Throwable> fail) {
    Throwable cause = closed ? new IllegalStateException("the ledger is closed") : broken;
    if (cause != null) {
      fail.accept(cause);
    }
    return cause != null;
  }

  private void send(long nowNanos) {
    while (flights < MOST_UNDER_WAY && !waiting.isEmpty()) {
      List<Recording> taken = waiting.takeRecordings();
      Flight flight = new Flight(nowNanos, tail.position(), taken, waiting.takeLookUps());
      List<Drafts.Outgoing> records = drafts.records(taken);
      if (records.isEmpty()) {
        compaction.barrierSent(nowNanos);
        records = List.of(drafts.barrier());
      }
      launch(flight, records);
    }
  }

  private void launch(Flight flight, List<Drafts.Outgoing> records) {
    flights++;
    flight.sends(records.size());
    for (Drafts.Outgoing outgoing : records) {
      long id = ++ids;
      underWay.put(id, flight);
      port.publish(id, outgoing.token, outgoing.record);
    }
  }

  // Answers.

  /** Answer to {@link LedgerPort#publish}: it is stored at that place of the log. */
  public void published(long id, long place, long nowNanos) {
    Flight flight = underWay.remove(id);
    if (flight == null) {
      renewals.answered(id);
      return;
    }
    if (place <= flight.sentAtPosition && flight.sentAtPosition <= tail.position()) {
      // The log was deleted and made again: what it held is lost, and its places begin anew.
      reload(nowNanos);
    }
    if (flight.confirmed(place, nowNanos)) {
      flights--;
      flight.recordings.forEach(Recording::done);
      if (flight.recordings.isEmpty() || !flight.lookUps.isEmpty()) {
        barriers.add(flight);
        passBarriers(nowNanos);
      }
    }
    send(nowNanos);
  }

  /** Answer to {@link LedgerPort#publish}: it is not known whether it is stored. */
  public void publishFailed(long id, Throwable cause, long nowNanos) {
    Flight flight = underWay.remove(id);
    if (flight == null) {
      renewals.answered(id);
      port.upkeepFailed(cause);
      return;
    }
    underWay.values().removeIf(other -> other == flight);
    flights--;
    flight.fail(cause);
    send(nowNanos);
  }

  /**
   * The next record of the log.
   *
   * @param reading that of the {@link LedgerPort#read} by which it came
   * @param place its place in the log
   * @param token the end of its subject
   * @param storedMillis when it was stored
   */
  public void tailed(
      long reading, long place, String token, byte[] data, long storedMillis, long nowNanos) {
    if (closed || broken != null) {
      return;
    }
    switch (tail.heard(reading, place, storedMillis, nowNanos)) {
      case NEXT -> next(place, token, data, storedMillis, nowNanos);
      case ANOTHER_LOG -> reload(nowNanos);
      case KNOWN -> {}
    }
  }

  private void next(long place, String token, byte[] data, long storedMillis, long nowNanos) {
    Optional<BlockKey> key = BlockKey.parse(token);
    if (key.isPresent()) {
      try {
        RecordFormat.Written written = RecordFormat.read(data);
        if (!completions.staysAway(key.get(), place, storedMillis)) {
          Block block = completions.block(key.get());
          block.apply(place, written.record(), storedMillis);
          compaction.applied(block, written, nowNanos);
        }
      } catch (LedgerFormatException e) {
        broke(e, nowNanos);
        return;
      }
    }
    tail.passed(place, storedMillis, key.isPresent());
    passBarriers(nowNanos);
  }

  private void passBarriers(long nowNanos) {
    for (Iterator<Flight> unread = barriers.iterator(); unread.hasNext(); ) {
      Flight flight = unread.next();
      if (flight.place() > tail.position()) {
        continue;
      }
      unread.remove();
      if (nowNanos - flight.sentNanos > longestBarrier) {
        waiting.addAll(flight.lookUps);
      } else if (isAnyPutAway(flight.lookUps)) {
        // A server that was killed may bring back what its stream had let go: all is read again.
        waiting.addAll(flight.lookUps);
        reload(nowNanos);
      } else {
        compaction.caughtUp(nowNanos);
        flight.lookUps.forEach(this::answer);
      }
    }
    send(nowNanos);
  }

  private boolean isAnyPutAway(List<LookUp> lookUps) {
    for (LookUp lookUp : lookUps) {
      if (completions.isAnyPutAway(lookUp.messages())) {
        return true;
      }
    }
    return false;
  }

  private void answer(LookUp lookUp) {
    List<? extends LedgerEntry> messages = lookUp.messages();
    BitSet completed = new BitSet();
    for (int i = 0; i < messages.size(); i++) {
      LedgerEntry message = messages.get(i);
      if (completions.contain(message)) {
        completed.set(i);
      } else {
        Block block = completions.contradicting(message);
        if (block != null) {
          renewals.noticed(message, block);
        }
      }
    }
    lookUp.answer(completed);
  }

  // Reading.

  /** The log is no longer delivered, or may not be: it is to be read on. */
  public void readingEnded() {
    tail.ended();
  }

  private void reload(long nowNanos) {
    completions.clear();
    compaction.clear();
    tail.readAll(nowNanos);
  }

  private void broke(Throwable cause, long nowNanos) {
    broken = cause;
    brokenNanos = nowNanos;
    failAll(cause);
  }

  private void failAll(Throwable cause) {
    List<Flight> unsent = new ArrayList<>();
    while (!waiting.isEmpty()) {
      unsent.add(new Flight(0, 0, waiting.takeRecordings(), waiting.takeLookUps()));
    }
    List<Flight> confirmed = new ArrayList<>(barriers);
    List<Flight> unconfirmed = underWay.values().stream().distinct().toList();
    barriers.clear();
    underWay.clear();
    flights = 0;
    unsent.forEach(flight -> flight.fail(cause));
    confirmed.forEach(flight -> flight.failLookUps(cause));
    unconfirmed.forEach(flight -> flight.fail(cause));
  }

  // Time and end.

  /**
   * Puts away what nobody should ask for any more, and has it deleted when it is old.
   *
   * @param firstSequence the first that the stream still holds
   * @param beforeMillis only blocks whose last record was stored before this are deleted
   */
  public void retire(long firstSequence, long beforeMillis) {
    for (Block block : completions.blocks()) {
      if (block.key().last() < firstSequence) {
        completions.putAway(block);
      }
    }
    for (Completions.PutAway block : completions.removePutAway(beforeMillis)) {
      port.purge(block.key().token(), block.lastPlace() + 1);
      port.purge(block.key().forgetToken(), block.lastPlace() + 1);
    }
  }

  /** What time brings about; to be called about every 100 ms. */
  public void tick(long nowNanos) {
    if (closed) {
      return;
    }
    if (broken != null) {
      if (nowNanos - brokenNanos > BROKEN_FOR) {
        broken = null;
        reload(nowNanos);
      }
      return;
    }
    giveUpBarriers(nowNanos);
    if (tail.isCutOff(isOverdue(nowNanos), nowNanos) && !tail.readOn(nowNanos)) {
      reload(nowNanos);
    }
    compaction.tick(tail.position(), nowNanos);
    if (flights == 0 && barriers.isEmpty() && compaction.wantsBarrier(nowNanos)) {
      Flight flight = new Flight(nowNanos, tail.position(), List.of(), List.of());
      launch(flight, List.of(drafts.barrier()));
    }
    send(nowNanos);
  }

  /** Those that tell nothing any more: asked again, unless there is nothing to read. */
  private void giveUpBarriers(long nowNanos) {
    boolean unreadable = tail.silentNanos(nowNanos) > longestBarrier;
    for (Iterator<Flight> unread = barriers.iterator(); unread.hasNext(); ) {
      Flight flight = unread.next();
      if (nowNanos - flight.sentNanos <= longestBarrier) {
        continue;
      }
      unread.remove();
      if (unreadable) {
        flight.failLookUps(
            new IllegalStateException("what was written to the ledger cannot be read back"));
      } else {
        waiting.addAll(flight.lookUps);
      }
    }
  }

  private boolean isOverdue(long nowNanos) {
    return barriers.stream()
        .anyMatch(flight -> nowNanos - flight.confirmedNanos() > LONGEST_RETURN);
  }

  public void close() {
    closed = true;
    failAll(new IllegalStateException("the ledger is closed"));
  }
}
