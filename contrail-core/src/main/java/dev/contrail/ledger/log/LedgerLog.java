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
import java.util.TreeMap;
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
  /**
   * A barrier that took longer to come back tells nothing: records may be purged {@link
   * Compaction#PURGE_DELAY} after the snapshot that covers them was appended, and whoever is that
   * far behind may find them gone and not have met the snapshot yet.
   */
  static final long LONGEST_BARRIER = Duration.ofSeconds(10).toNanos();

  /** A confirmed record comes back within this, or the reader is at fault. */
  private static final long LONGEST_SILENCE = Duration.ofSeconds(2).toNanos();

  private static final long READ_AGAIN = Duration.ofMillis(500).toNanos();
  private static final long BROKEN_FOR = Duration.ofSeconds(30).toNanos();
  private static final int MOST_UNDER_WAY = 4;
  private static final int MOST_COMPLETIONS = 16 * 1024;

  private final int writer;
  private final LedgerPort port;
  private final Completions completions = new Completions();
  private final Compaction compaction;

  private final List<Recording> recordings = new ArrayList<>();
  private final List<LookUp> lookUps = new ArrayList<>();
  private final Map<Long, Flight> underWay = new HashMap<>();
  private final List<Flight> barriers = new ArrayList<>();

  private long ids;
  private int flights;
  private long position;
  private long readNanos;
  private int epochsTold = BlockKey.FIRST_EPOCH;
  private @Nullable Throwable broken;
  private long brokenNanos;
  private boolean reading;
  private boolean loaded;
  private boolean closed;

  /**
   * An empty one; {@link #start} begins to read.
   *
   * @param writer tells the records of this worker from those of others
   */
  public LedgerLog(int writer, LedgerPort port) {
    this.writer = writer;
    this.port = port;
    this.compaction = new Compaction(writer, port, completions, () -> ++ids);
  }

  public void start(long nowNanos) {
    readFrom(1, nowNanos);
  }

  // What is asked of it.

  public void lookUp(LookUp lookUp, long nowNanos) {
    if (refuses(lookUp::fail)) {
      return;
    }
    lookUps.add(lookUp);
    send(nowNanos);
  }

  public void record(Recording recording, long nowNanos) {
    if (refuses(recording::fail)) {
      return;
    }
    recordings.add(recording);
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
    while (flights < MOST_UNDER_WAY && !(recordings.isEmpty() && lookUps.isEmpty())) {
      List<Recording> taken = take();
      Flight flight = new Flight(nowNanos, position, taken, lookUps);
      lookUps.clear();
      flights++;
      Map<BlockKey, Draft> drafts = drafts(taken);
      if (drafts.isEmpty()) {
        compaction.barrierSent(position, nowNanos);
        publish(flight, LedgerPort.BARRIER, RecordFormat.barrier(writer));
      } else {
        // Counted before they are sent: the answer to the first must not pass for that to all.
        drafts.forEach((block, draft) -> flight.sent());
        drafts.forEach((block, draft) -> append(flight, block.token(), draft.encode(writer)));
      }
    }
  }

  private void publish(Flight flight, String token, byte[] record) {
    flight.sent();
    append(flight, token, record);
  }

  private void append(Flight flight, String token, byte[] record) {
    long id = ++ids;
    underWay.put(id, flight);
    port.publish(id, token, record);
  }

  /** As many as go well into one record. */
  private List<Recording> take() {
    List<Recording> taken = new ArrayList<>(recordings.size());
    int size = 0;
    Iterator<Recording> waiting = recordings.iterator();
    while (waiting.hasNext() && size < MOST_COMPLETIONS) {
      Recording next = waiting.next();
      size += next.messages().size();
      taken.add(next);
      waiting.remove();
    }
    return taken;
  }

  private Map<BlockKey, Draft> drafts(List<Recording> taken) {
    Map<BlockKey, Draft> drafts = new TreeMap<>();
    BlockKey lastKey = null;
    Draft last = null;
    for (Recording recording : taken) {
      for (LedgerEntry message : recording.messages()) {
        int epoch = completions.epochOf(message.sequence(), message.publishedMillis());
        if (last == null
            || lastKey == null
            || lastKey.epoch() != epoch
            || lastKey.number() != message.sequence() >>> BlockKey.BITS) {
          lastKey = BlockKey.of(epoch, message.sequence());
          last = drafts.computeIfAbsent(lastKey, key -> new Draft());
        }
        last.add(message.sequence(), message.publishedMillis());
      }
    }
    return drafts;
  }

  // Answers.

  /** Answer to {@link LedgerPort#publish}: it is stored at that place of the log. */
  public void published(long id, long place, long nowNanos) {
    Flight flight = underWay.remove(id);
    if (flight == null) {
      compaction.published(id, nowNanos);
      return;
    }
    if (place <= flight.sentAtPosition) {
      // The log was deleted and made again: what it held is lost, and its places begin anew.
      reload(nowNanos);
    }
    if (flight.confirmed(place, nowNanos)) {
      flights--;
      flight.recordings.forEach(Recording::done);
      if (!flight.lookUps.isEmpty()) {
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
      compaction.publishFailed(id);
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
   * @param place its place in the log
   * @param token the end of its subject
   * @param storedMillis when it was stored
   */
  public void tailed(long place, String token, byte[] data, long storedMillis, long nowNanos) {
    if (closed || broken != null || place <= position) {
      return;
    }
    try {
      Optional<BlockKey> key = BlockKey.parse(token);
      if (key.isPresent() && !apply(key.get(), place, data, storedMillis, nowNanos)) {
        reload(nowNanos);
        return;
      }
    } catch (LedgerFormatException e) {
      broke(e, nowNanos);
      return;
    }
    position = place;
    passBarriers(nowNanos);
  }

  private boolean apply(BlockKey key, long place, byte[] data, long storedMillis, long nowNanos) {
    RecordFormat.Written written = RecordFormat.read(key, data);
    Block block = completions.block(key);
    if (!block.apply(place, written.record(), storedMillis)) {
      return false;
    }
    compaction.applied(block, written, nowNanos);
    return true;
  }

  private void passBarriers(long nowNanos) {
    List<LookUp> again = new ArrayList<>();
    for (Iterator<Flight> waiting = barriers.iterator(); waiting.hasNext(); ) {
      Flight flight = waiting.next();
      if (flight.place() > position) {
        continue;
      }
      waiting.remove();
      if (nowNanos - flight.sentNanos > LONGEST_BARRIER) {
        again.addAll(flight.lookUps);
      } else {
        caughtUp(nowNanos);
        flight.lookUps.forEach(this::answer);
      }
    }
    if (!again.isEmpty()) {
      lookUps.addAll(again);
      send(nowNanos);
    }
  }

  private void caughtUp(long nowNanos) {
    if (!loaded) {
      loaded = true;
      compaction.loaded(nowNanos);
    }
  }

  private void answer(LookUp lookUp) {
    List<? extends LedgerEntry> messages = lookUp.messages();
    BitSet completed = new BitSet();
    for (int i = 0; i < messages.size(); i++) {
      LedgerEntry message = messages.get(i);
      if (completions.contains(message.sequence(), message.publishedMillis())) {
        completed.set(i);
      } else {
        noticeReuse(message);
      }
    }
    lookUp.answer(completed);
  }

  private void noticeReuse(LedgerEntry message) {
    int epoch = completions.epochOf(message.sequence(), message.publishedMillis());
    if (epoch > epochsTold) {
      epochsTold = epoch;
      port.sequenceReused(message.sequence());
    }
  }

  // Reading.

  private void readFrom(long place, long nowNanos) {
    readNanos = nowNanos;
    reading = true;
    port.read(place);
  }

  /** The log is no longer delivered, or may not be: it is to be read on. */
  public void readingEnded() {
    reading = false;
  }

  private void readOn(long nowNanos) {
    readFrom(position + 1, nowNanos);
  }

  private void reload(long nowNanos) {
    completions.clear();
    compaction.clear();
    position = 0;
    readFrom(1, nowNanos);
  }

  private void broke(Throwable cause, long nowNanos) {
    broken = cause;
    brokenNanos = nowNanos;
    failAll(cause);
  }

  private void failAll(Throwable cause) {
    List<Recording> waitingRecordings = new ArrayList<>(recordings);
    List<LookUp> waitingLookUps = new ArrayList<>(lookUps);
    List<Flight> failing = new ArrayList<>(barriers);
    underWay.values().stream().distinct().forEach(failing::add);
    recordings.clear();
    lookUps.clear();
    barriers.clear();
    underWay.clear();
    flights = 0;
    waitingRecordings.forEach(recording -> recording.fail(cause));
    waitingLookUps.forEach(lookUp -> lookUp.fail(cause));
    failing.forEach(flight -> flight.fail(cause));
  }

  // Time and end.

  /**
   * Drops what nobody can ask for any more.
   *
   * @param firstSequence the first that the stream still holds
   * @param beforeMillis only blocks whose last record was stored before this
   */
  public void retire(long firstSequence, long beforeMillis) {
    for (Block block : completions.blocks()) {
      if (block.key().last() < firstSequence && block.storedMillis() < beforeMillis) {
        completions.remove(block.key());
        port.purge(block.key().token(), block.lastPlace() + 1);
      }
    }
  }

  /** What time brings about; to be called about every 100 ms. */
  public void tick(long nowNanos) {
    if (broken != null && nowNanos - brokenNanos > BROKEN_FOR) {
      broken = null;
      reload(nowNanos);
    }
    boolean silent =
        barriers.stream().anyMatch(flight -> nowNanos - flight.confirmedNanos() > LONGEST_SILENCE);
    if (!closed && nowNanos - readNanos > (reading ? LONGEST_SILENCE : READ_AGAIN)) {
      if (!reading || silent) {
        readOn(nowNanos);
      }
    }
    compaction.tick(position, nowNanos);
  }

  public void close() {
    closed = true;
    failAll(new IllegalStateException("the ledger is closed"));
  }
}
