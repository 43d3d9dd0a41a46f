package dev.contrail.ledger.log;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** A ledger that a test drives step by step, on a log that it may share with others. */
final class SteppedLedger implements LedgerPort {
  private static final class Sent {
    final long id;
    final String token;
    final byte[] data;

    Sent(long id, String token, byte[] data) {
      this.id = id;
      this.token = token;
      this.data = data;
    }
  }

  /** What somebody was told. */
  static final class Answer implements LookUp, Recording {
    private final List<Message> messages;
    private String text = "none";

    Answer(Message... messages) {
      this.messages = List.of(messages);
    }

    @Override
    public List<Message> messages() {
      return messages;
    }

    @Override
    public void answer(BitSet completed) {
      tell(completed.toString());
    }

    @Override
    public void done() {
      tell("done");
    }

    @Override
    public void fail(Throwable cause) {
      tell("failed: " + cause.getMessage());
    }

    private void tell(String what) {
      if (!text.equals("none")) {
        throw new AssertionError("told twice: " + text + ", " + what);
      }
      text = what;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  final ModelLog log;
  final LedgerLog ledger;
  private final Deque<Sent> sent = new ArrayDeque<>();
  private final List<String> commands = new ArrayList<>();
  private long nanos = Long.MAX_VALUE - Duration.ofSeconds(15).toNanos();
  private long millis = 1_800_000_000_000L;
  private long reading;
  private long nextPlace;

  SteppedLedger(int writer) {
    this(writer, new ModelLog());
  }

  SteppedLedger(int writer, ModelLog log) {
    this.log = log;
    this.ledger = new LedgerLog(writer, LedgerTimes.DEFAULT, this);
    ledger.start(nanos);
  }

  Answer lookUp(Message... messages) {
    Answer answer = new Answer(messages);
    ledger.lookUp(answer, nanos);
    return answer;
  }

  Answer record(Message... messages) {
    Answer answer = new Answer(messages);
    ledger.record(answer, nanos);
    return answer;
  }

  /** Purges, reads and alerts since the last call. */
  List<String> commands() {
    List<String> taken = List.copyOf(commands);
    commands.clear();
    return taken;
  }

  /** The tokens of the records that wait for their answer. */
  List<String> sent() {
    return sent.stream().map(one -> one.token).toList();
  }

  // What the server does.

  /** Stores the record that was sent first, and says so. */
  void store() {
    long id = sent.element().id;
    ledger.published(id, storeSilently(), nanos);
  }

  /** Stores the record that was sent first, and nobody hears of it. */
  long storeSilently() {
    Sent first = sent.remove();
    return log.append(first.token, first.data, millis);
  }

  void refuse() {
    ledger.publishFailed(sent.remove().id, new IllegalStateException("away"), nanos);
  }

  /** The next record is read. */
  void tail() {
    deliver(reading, next().orElseThrow());
  }

  Optional<ModelLog.Stored> next() {
    return log.next(nextPlace);
  }

  void deliver(long ofReading, ModelLog.Stored stored) {
    if (ofReading == reading) {
      nextPlace = stored.place() + 1;
    }
    ledger.tailed(
        ofReading, stored.place(), stored.token(), stored.data(), stored.storedMillis(), nanos);
  }

  long reading() {
    return reading;
  }

  /** All is stored and read. */
  void settle() {
    while (!sent.isEmpty() || next().isPresent()) {
      if (sent.isEmpty()) {
        tail();
      } else {
        store();
      }
    }
  }

  // Time.

  /** Ticks as the loop does, and nothing is stored or read meanwhile. */
  void pass(Duration time) {
    long end = nanos + time.toNanos();
    while (end - nanos > 0) {
      long step = Math.min(end - nanos, Duration.ofMillis(100).toNanos());
      linger(Duration.ofNanos(step));
      ledger.tick(nanos);
    }
  }

  /** Nothing happens at all. */
  void linger(Duration time) {
    nanos += time.toNanos();
    millis += time.toMillis();
  }

  long millis() {
    return millis;
  }

  // What it wants done.

  @Override
  public void publish(long id, String token, byte[] record) {
    sent.add(new Sent(id, token, record));
  }

  @Override
  public void purge(String token, long place) {
    commands.add("purge " + token + " below " + place);
    log.purge(token, place);
  }

  @Override
  public void read(long newReading, long fromPlace) {
    commands.add("read from " + fromPlace);
    reading = newReading;
    nextPlace = fromPlace;
  }

  @Override
  public void upkeepFailed(Throwable cause) {
    commands.add("upkeep failed");
  }

  @Override
  public void sequenceReused(long sequence) {
    commands.add("reused " + sequence);
  }
}
