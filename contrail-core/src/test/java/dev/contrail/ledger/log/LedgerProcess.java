package dev.contrail.ledger.log;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One worker's ledger, and what is under way to it. Nothing reaches it any more once it is killed.
 */
final class LedgerProcess implements LedgerPort {
  private record Sent(long reading, ModelLog.Stored record) {}

  /** Somebody who waits for an answer, and since when. */
  final class Told implements Recording {
    final List<Message> messages;
    final long asked;

    Told(List<Message> messages, long asked) {
      this.messages = messages;
      this.asked = asked;
    }

    @Override
    public List<Message> messages() {
      return messages;
    }

    @Override
    public void done() {
      over(told.remove(this), "recording " + messages);
      messages.forEach(message -> world.books.confirmed(message, asked));
    }

    @Override
    public void fail(Throwable cause) {
      over(told.remove(this), "recording " + messages);
    }
  }

  /** As well. */
  final class Asked implements LookUp {
    final List<Message> messages;
    final long asked;

    Asked(List<Message> messages, long asked) {
      this.messages = messages;
      this.asked = asked;
    }

    @Override
    public List<Message> messages() {
      return messages;
    }

    @Override
    public void answer(BitSet completed) {
      over(lookUps.remove(this), "look-up " + messages);
      world.tell(() -> LedgerProcess.this + " answers " + messages + ": " + completed);
      world.check(LedgerProcess.this, messages, completed, asked);
      answers++;
    }

    @Override
    public void fail(Throwable cause) {
      over(lookUps.remove(this), "look-up " + messages);
    }
  }

  private final LedgerWorld world;
  private final String name;
  private final long clock;
  final LedgerLog log;
  final Set<Told> told = new LinkedHashSet<>();
  final Set<Asked> lookUps = new LinkedHashSet<>();
  private final Deque<Sent> wire = new ArrayDeque<>();
  private long reading;
  private long nextPlace;
  private boolean readable;
  boolean frozen;
  boolean dead;
  int answers;

  LedgerProcess(LedgerWorld world, String name, int writer, long clock) {
    this.world = world;
    this.name = name;
    this.clock = clock;
    this.log = new LedgerLog(writer, LedgerTimes.DEFAULT, this);
    log.start(nanos());
  }

  long nanos() {
    return world.nanos() + clock;
  }

  @Override
  public String toString() {
    return name;
  }

  void record(List<Message> messages) {
    Told recording = new Told(messages, world.books.next());
    told.add(recording);
    world.tell(() -> this + " records " + messages);
    log.record(recording, nanos());
  }

  void lookUp(List<Message> messages) {
    Asked lookUp = new Asked(messages, world.books.next());
    lookUps.add(lookUp);
    log.lookUp(lookUp, nanos());
  }

  void tick() {
    log.tick(nanos());
  }

  void kill() {
    dead = true;
    told.clear();
    lookUps.clear();
  }

  private static void over(boolean known, String what) {
    if (!known) {
      throw new AssertionError("foul: answered twice: " + what);
    }
  }

  // Reading.

  /** The server sends so many of the next records there are. */
  void send(int count) {
    for (int i = 0; i < count; i++) {
      send();
    }
  }

  private void send() {
    Optional<ModelLog.Stored> next = readable ? world.log.next(nextPlace) : Optional.empty();
    next.ifPresent(
        stored -> {
          nextPlace = stored.place() + 1;
          wire.add(new Sent(reading, stored));
        });
  }

  void receive(int count) {
    for (int i = 0; i < count; i++) {
      receive();
    }
  }

  private void receive() {
    if (!wire.isEmpty()) {
      Sent sent = wire.remove();
      ModelLog.Stored record = sent.record;
      log.tailed(
          sent.reading,
          record.place(),
          record.token(),
          record.data(),
          record.storedMillis(),
          nanos());
    }
  }

  void receiveAll() {
    for (int round = 0; round < 100_000; round++) {
      send();
      if (wire.isEmpty()) {
        return;
      }
      receive();
    }
    throw new AssertionError("foul: " + this + " reads for ever");
  }

  /** Nothing more comes, and perhaps nobody says so. */
  void interrupt(boolean noticed) {
    readable = false;
    wire.clear();
    if (noticed) {
      log.readingEnded();
    }
  }

  @Override
  public void read(long newReading, long fromPlace) {
    reading = newReading;
    nextPlace = fromPlace;
    readable = true;
    world.tell(() -> this + " reads from " + fromPlace);
  }

  // Writing.

  @Override
  public void publish(long id, String token, byte[] record) {
    world.send(this, id, token, record, held(token, record));
  }

  /** Which of those that this one was told to record the record may hold. */
  private List<Message> held(String token, byte[] data) {
    Optional<BlockKey> key = BlockKey.parse(token);
    List<Message> held = new ArrayList<>();
    if (key.isPresent()
        && RecordFormat.read(data).record() instanceof LedgerRecord.Completions completions) {
      for (Told recording : told) {
        for (Message message : recording.messages) {
          boolean inBlock = message.sequence() >>> BlockKey.BITS == key.get().number();
          if (inBlock && completions.lows().contains(BlockKey.low(message.sequence()))) {
            held.add(message);
          }
        }
      }
    }
    return held;
  }

  @Override
  public void purge(String token, long place) {
    world.sendPurge(this, token, place);
  }

  @Override
  public void upkeepFailed(Throwable cause) {
    // The next one makes up for it.
  }

  @Override
  public void sequenceReused(long sequence) {
    if (!world.books.isReused(sequence)) {
      throw new AssertionError("foul: " + this + " takes " + sequence + " for reused");
    }
  }
}
