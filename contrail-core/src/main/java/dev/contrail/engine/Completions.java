package dev.contrail.engine;

import java.util.List;

/**
 * Where it is asked and told that messages are completed: the ledger, and for copies that a replay
 * published what is kept of that replay. Each may be down without the other; copies that wait hold
 * back nothing else.
 */
final class Completions<M> {
  private final Ledger<M> ledger;
  private final Ledger<M> replays;

  Completions(boolean kept, Port<M> port) {
    this.ledger = new Ledger<>(kept, StoreKind.LEDGER, port);
    this.replays = new Ledger<>(true, StoreKind.EVENTS, port);
  }

  boolean areKept(InFlight<M> message) {
    return of(message).isKept();
  }

  /** Asks whether it is completed; returns whether that is a question at all. */
  boolean lookUp(InFlight<M> message) {
    return of(message).lookUp(message);
  }

  /** Whether it may have been completed elsewhere since it was looked up. */
  boolean isOutdated(InFlight<M> message, Now now) {
    return of(message).isOutdated(message, now);
  }

  boolean canLookUp(InFlight<M> message) {
    return of(message).canLookUp();
  }

  /** Takes the answer; returns whether it is one to what is still to be known. */
  boolean heard(InFlight<M> message, List<InFlight<M>> batch, Now now) {
    return of(message).heard(message, batch, now);
  }

  /** Whether what was asked of it in this batch is still to be known. */
  boolean isOpen(InFlight<M> message, List<InFlight<M>> batch) {
    return of(message).isOpen(message, batch);
  }

  /** It need not be known any more. */
  void withdraw(InFlight<M> message) {
    of(message).withdraw(message);
  }

  void record(InFlight<M> message) {
    of(message).record(message);
  }

  void lookedUp(List<InFlight<M>> batch) {
    of(batch).lookedUp(batch);
  }

  /** The store has answered, and what it is asked has no answer yet. */
  void putOff(List<InFlight<M>> batch) {
    of(batch).putOff(batch);
  }

  void recorded(List<InFlight<M>> batch) {
    of(batch).recorded(batch);
  }

  void lookUpFailed(List<InFlight<M>> batch, Throwable cause, Now now) {
    of(batch).lookUpFailed(batch, cause, now);
  }

  void recordingFailed(List<InFlight<M>> batch, Throwable cause, Now now) {
    of(batch).recordingFailed(batch, cause, now);
  }

  boolean isDown() {
    return ledger.isDown() || replays.isDown();
  }

  /** Whether nothing new is to be pulled. */
  boolean holdBack() {
    return ledger.holdsBack();
  }

  int waiting() {
    return ledger.waiting() + replays.waiting();
  }

  /** Those that wait for the store, or for what it does not know yet. */
  int waitingCopies() {
    return replays.waiting() + replays.putOff();
  }

  void tick(Now now) {
    ledger.tick(now);
    replays.tick(now);
  }

  private Ledger<M> of(InFlight<M> message) {
    return message.replayed ? replays : ledger;
  }

  /** Batches are asked for and answered for one of the two. */
  private Ledger<M> of(List<InFlight<M>> batch) {
    return batch.isEmpty() ? ledger : of(batch.get(0));
  }
}
