package dev.contrail.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * What is asked of the completion ledger: of each message whether it is completed, before it may
 * run or die, and to record it, before it is acked. Gathered and asked once a cycle. A worker
 * without a ledger takes every answer for granted.
 */
final class Ledger<M> {
  private final boolean kept;
  private final StoreKind kind;
  private final Port<M> port;
  private final Store<M> lookUps;
  private final Store<M> records;
  private List<InFlight<M>> toLookUp = new ArrayList<>();
  private List<InFlight<M>> toRecord = new ArrayList<>();

  Ledger(boolean kept, StoreKind kind, Port<M> port) {
    this.kept = kept;
    this.kind = kind;
    this.port = port;
    this.lookUps = new Store<>(Ledger::isAsked, this::gatherLookUp);
    this.records = new Store<>(InFlight::isCompleted, this::gatherRecord);
  }

  boolean isKept() {
    return kept;
  }

  boolean isDown() {
    return lookUps.isDown() || records.isDown();
  }

  /** Whether nothing new is to be pulled. With nobody left who waits, nobody would try it again. */
  boolean holdsBack() {
    return isDown() && waiting() > 0;
  }

  int waiting() {
    return lookUps.waiting() + records.waiting();
  }

  /** Asks whether it is completed; returns whether that is a question at all. */
  boolean lookUp(InFlight<M> message) {
    if (kept) {
      message.completionPending = true;
      lookUps.request(message);
    }
    return kept;
  }

  void record(InFlight<M> message) {
    records.request(message);
  }

  void lookedUp(List<InFlight<M>> batch) {
    answered(lookUps, batch);
  }

  void recorded(List<InFlight<M>> batch) {
    answered(records, batch);
  }

  void lookUpFailed(List<InFlight<M>> batch, Throwable cause, Now now) {
    failed(lookUps, batch, cause, now);
  }

  void recordingFailed(List<InFlight<M>> batch, Throwable cause, Now now) {
    failed(records, batch, cause, now);
  }

  private void answered(Store<M> store, List<InFlight<M>> batch) {
    boolean wasDown = isDown();
    batch.forEach(store::answered);
    if (wasDown && !isDown()) {
      port.report(new WorkerEvent.StoreBack<>(kind));
    }
  }

  private void failed(Store<M> store, List<InFlight<M>> batch, Throwable cause, Now now) {
    boolean wasDown = isDown();
    batch.forEach(message -> store.failed(message, now));
    if (!wasDown && isDown()) {
      port.report(new WorkerEvent.StoreDown<>(kind, cause));
    }
  }

  void tick(Now now) {
    lookUps.tick(now);
    records.tick(now);
    flush();
  }

  /** Whether the answer is still to be known. */
  static boolean isAsked(InFlight<?> message) {
    return message.completionPending
        && (message.is(DeliveryState.CHECKING) || message.is(DeliveryState.BURYING));
  }

  private void flush() {
    // Of a stream that is no more, nothing is to be asked of the ledger of the next one.
    toRecord.removeIf(message -> !message.isCompleted());
    toLookUp.removeIf(message -> !isAsked(message));
    if (!toRecord.isEmpty()) {
      List<InFlight<M>> batch = toRecord;
      toRecord = new ArrayList<>(batch.size());
      port.recordCompletions(batch);
    }
    if (!toLookUp.isEmpty()) {
      List<InFlight<M>> batch = toLookUp;
      toLookUp = new ArrayList<>(batch.size());
      port.lookUpCompletions(batch);
    }
  }

  private void gatherLookUp(InFlight<M> message) {
    toLookUp.add(message);
  }

  private void gatherRecord(InFlight<M> message) {
    toRecord.add(message);
  }
}
