package dev.contrail.engine;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What the worker asks of its stores: dead letters looked up and written, last chances noted.
 * Reading and writing fail apart from each other: a full store can be read.
 */
final class Stores<M> {
  private static final int MOST_DEAD_LETTERS = 16;
  private static final long MOST_DEAD_LETTER_BYTES = 4 << 20;
  private static final int MOST_NOTES = 64;

  private final Port<M> port;
  private final Store<M> lookUps;
  private final Store<M> burials;
  private final Store<M> noteReads;
  private final Store<M> noteWrites;

  /** Whose noted start is to be taken back, by sequence; most are no longer held. */
  private final Map<Long, InFlight<M>> takenBack = new HashMap<>();

  Stores(Port<M> port) {
    this.port = port;
    this.lookUps = deadLetters(Stores::mayBeDead, port::checkDeadLetter);
    this.burials = deadLetters(message -> message.is(DeliveryState.BURYING), port::bury);
    this.noteReads = notes(Stores::mayHaveKilled, port::readNote);
    this.noteWrites = notes(this::needsNote, this::writeNote);
  }

  /** A look-up brings back as much as a burial sends. */
  private static <M> Store<M> deadLetters(Predicate<InFlight<M>> needy, Consumer<InFlight<M>> ask) {
    return new Store<>(
        needy, new Throttle<>(MOST_DEAD_LETTERS, MOST_DEAD_LETTER_BYTES, needy, ask));
  }

  private static <M> Store<M> notes(Predicate<InFlight<M>> needy, Consumer<InFlight<M>> ask) {
    return new Store<>(needy, new Throttle<>(MOST_NOTES, Long.MAX_VALUE, needy, ask));
  }

  // Dead letters.

  void lookUp(InFlight<M> message) {
    message.lookUpPending = true;
    lookUps.request(message);
  }

  void bury(InFlight<M> message) {
    burials.request(message);
  }

  /** Returns whether this was still to be known. */
  boolean lookedUp(InFlight<M> message) {
    boolean awaited = mayBeDead(message);
    message.lookUpPending = false;
    answered(StoreKind.DEAD_LETTERS, lookUps, message);
    return awaited;
  }

  void buried(InFlight<M> message) {
    answered(StoreKind.DEAD_LETTERS, burials, message);
  }

  void refused(InFlight<M> message, Throwable cause, Now now) {
    if (store(StoreKind.DEAD_LETTERS, message).refused(message, now)) {
      port.report(new WorkerEvent.Refused<>(message, cause));
    }
  }

  // Notes.

  void readNote(InFlight<M> message) {
    message.noteReadPending = true;
    noteReads.request(message);
  }

  /** Returns whether this was still to be known. */
  boolean noteRead(InFlight<M> message) {
    boolean awaited = mayHaveKilled(message);
    message.noteReadPending = false;
    answered(StoreKind.NOTES, noteReads, message);
    return awaited;
  }

  /** Notes that its run is about to start. */
  void noteStart(InFlight<M> message) {
    takenBack.remove(message.sequence());
    message.noted = true;
    noteWrites.request(message);
  }

  /** Notes that its run had an outcome. */
  void noteEnd(InFlight<M> message) {
    noteWrites.request(message);
  }

  /**
   * Whoever gets the message next must not take it for one that killed its worker. Tried until it
   * is stored, for a lease is mostly lost when the server is away, and the store with it.
   */
  void takeBackStart(InFlight<M> message) {
    if (message.noted) {
      message.noted = false;
      takenBack.put(message.sequence(), message);
      noteWrites.request(message);
    }
  }

  /** Returns whether what was stored is what the message still needs. */
  boolean noteStored(InFlight<M> message) {
    RunNote stored = message.noteUnderWay;
    message.noteUnderWay = null;
    boolean asNeeded = stored != null && stored.kind() == noteOf(message).kind();
    if (asNeeded) {
      takenBack.remove(message.sequence(), message);
    }
    answered(StoreKind.NOTES, noteWrites, message);
    if (!asNeeded && needsNote(message)) {
      noteWrites.request(message);
    }
    return asNeeded;
  }

  /** Whether the note on it, if there is one, is this worker's and without meaning. */
  boolean isTakingBack(long sequence) {
    return takenBack.containsKey(sequence);
  }

  boolean isTakingBack() {
    return !takenBack.isEmpty();
  }

  void forgetNotes() {
    takenBack.clear();
  }

  boolean canNote() {
    return !noteWrites.isDown();
  }

  // All.

  void failed(StoreKind kind, InFlight<M> message, Throwable cause, Now now) {
    boolean wasDown = isDown(kind);
    if (kind == StoreKind.NOTES) {
      message.noteUnderWay = null;
    }
    store(kind, message).failed(message, now);
    if (!wasDown && isDown(kind)) {
      port.report(new WorkerEvent.StoreDown<>(kind, cause));
    }
  }

  void tick(Now now) {
    lookUps.tick(now);
    burials.tick(now);
    noteReads.tick(now);
    noteWrites.tick(now);
  }

  /** Those that a store is down for, or refuses. */
  int held() {
    return lookUps.held() + burials.held() + noteReads.held() + noteWrites.held();
  }

  /** The same, and those that merely wait for their turn. */
  int waiting() {
    return lookUps.waiting() + burials.waiting() + noteReads.waiting() + noteWrites.waiting();
  }

  private void answered(StoreKind kind, Store<M> store, InFlight<M> message) {
    boolean wasDown = isDown(kind);
    store.answered(message);
    if (wasDown && !isDown(kind)) {
      port.report(new WorkerEvent.StoreBack<>(kind));
    }
  }

  private boolean isDown(StoreKind kind) {
    return kind == StoreKind.DEAD_LETTERS
        ? lookUps.isDown() || burials.isDown()
        : noteReads.isDown() || noteWrites.isDown();
  }

  /** Which of the two was asked: the message itself may have moved on since. */
  private Store<M> store(StoreKind kind, InFlight<M> message) {
    if (kind == StoreKind.DEAD_LETTERS) {
      return lookUps.owesAnswer(message) ? lookUps : burials;
    }
    return noteReads.owesAnswer(message) ? noteReads : noteWrites;
  }

  private static boolean mayBeDead(InFlight<?> message) {
    return message.is(DeliveryState.CHECKING) && message.lookUpPending;
  }

  private static boolean mayHaveKilled(InFlight<?> message) {
    return message.is(DeliveryState.CHECKING) && message.noteReadPending;
  }

  private boolean needsNote(InFlight<M> message) {
    return message.isStartNoted()
        || message.is(DeliveryState.NOTING)
        || takenBack.get(message.sequence()) == message;
  }

  private void writeNote(InFlight<M> message) {
    message.noteUnderWay = noteOf(message);
    port.writeNote(message, message.noteUnderWay);
  }

  private static RunNote noteOf(InFlight<?> message) {
    RunNote.Kind kind = RunNote.Kind.ENDED;
    if (message.isStartNoted()) {
      kind = message.alone ? RunNote.Kind.STARTED_ALONE : RunNote.Kind.STARTED_IN_COMPANY;
    }
    return new RunNote(kind, message.deliveries());
  }
}
