package dev.contrail.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is asked of the completion ledger: of each message whether it is completed, before it may
 * run or die, and to record it, before it is acked. Gathered and asked once a cycle. A worker
 * without a ledger takes every answer for granted.
 */
final class Ledger<M> {
  /**
   * How long it may be relied on that a message was not completed. A server that is killed may
   * forget that it delivered it, and give it to another worker, who completes it. So whoever waited
   * for longer asks again. This is less than a cluster takes to find another leader (4 s and more),
   * and more than anything waits that merely waits its turn: a worker takes in about what it does
   * in a second.
   */
  private static final long GOOD_FOR = Duration.ofSeconds(2).toNanos();

  private final boolean kept;
  private final StoreKind kind;
  private final Port<M> port;
  private final Store<M> lookUps;
  private final Store<M> records;
  private final Set<InFlight<M>> putOff = new HashSet<>();
  private List<InFlight<M>> toLookUp = new ArrayList<>();
  private List<InFlight<M>> toRecord = new ArrayList<>();

  Ledger(boolean kept, StoreKind kind, Port<M> port) {
    this.kept = kept;
    this.kind = kind;
    this.port = port;
    this.lookUps = new Store<>(InFlight::isAsked, this::gatherLookUp);
    this.records = new Store<>(InFlight::isToBeRecorded, this::gatherRecord);
  }

  boolean isKept() {
    return kept;
  }

  boolean isDown() {
    return lookUps.isDown() || records.isDown();
  }

  boolean canLookUp() {
    return !lookUps.isDown();
  }

  /** Whether nothing new is to be pulled. With nobody left who waits, nobody would try it again. */
  boolean holdsBack() {
    return isDown() && waiting() > 0;
  }

  int waiting() {
    return lookUps.waiting() + records.waiting();
  }

  /** Those whose answer has to wait, although it can be asked for. */
  int putOff() {
    putOff.removeIf(message -> !message.isAsked());
    return putOff.size();
  }

  /** Asks whether it is completed; returns whether that is a question at all. */
  boolean lookUp(InFlight<M> message) {
    if (kept) {
      message.completionPending = true;
      // What was asked before may be answered yet, and tells nothing any more.
      message.question = null;
      putOff.remove(message);
      lookUps.request(message);
    }
    return kept;
  }

  /** Whether it may have been completed elsewhere since it was looked up. */
  boolean isOutdated(InFlight<M> message, Now now) {
    return kept && now.nanos() - message.lookedUpNanos > GOOD_FOR;
  }

  /** Takes the answer; returns whether it is one to what is still to be known. */
  boolean heard(InFlight<M> message, List<InFlight<M>> batch, Now now) {
    if (message.question != batch) {
      return false;
    }
    // A handler may run for long: it is not to keep all messages that were asked about with it.
    message.question = null;
    putOff.remove(message);
    boolean awaited = message.isAsked();
    if (awaited) {
      message.completionPending = false;
      message.lookedUpNanos = now.nanos();
    }
    return awaited;
  }

  /** Whether what was asked of it in this batch is still to be known. */
  boolean isOpen(InFlight<M> message, List<InFlight<M>> batch) {
    return message.question == batch && message.isAsked();
  }

  /** It need not be known any more. */
  void withdraw(InFlight<M> message) {
    message.question = null;
    message.completionPending = false;
  }

  void record(InFlight<M> message) {
    records.request(message);
  }

  void lookedUp(List<InFlight<M>> batch) {
    answered(lookUps, batch);
  }

  void putOff(List<InFlight<M>> batch) {
    answered(lookUps, batch);
    batch.stream().filter(message -> isOpen(message, batch)).forEach(putOff::add);
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
    batch.forEach(
        message -> {
          message.question = message.question == batch ? null : message.question;
          putOff.remove(message);
          store.failed(message, now);
        });
    if (!wasDown && isDown()) {
      port.report(new WorkerEvent.StoreDown<>(kind, cause));
    }
  }

  void tick(Now now) {
    lookUps.tick(now);
    records.tick(now);
    flush();
  }

  private void flush() {
    // Of a stream that is no more, nothing is to be asked of the ledger of the next one.
    toRecord.removeIf(message -> !message.isToBeRecorded());
    toLookUp.removeIf(message -> !message.isAsked());
    if (!toRecord.isEmpty()) {
      List<InFlight<M>> batch = toRecord;
      toRecord = new ArrayList<>(batch.size());
      port.recordCompletions(batch);
    }
    if (!toLookUp.isEmpty()) {
      List<InFlight<M>> batch = toLookUp;
      toLookUp = new ArrayList<>(batch.size());
      ask(batch);
    }
  }

  private void ask(List<InFlight<M>> messages) {
    if (kind == StoreKind.EVENTS) {
      messages.forEach(message -> askTogether(List.of(message)));
    } else {
      askTogether(messages);
    }
  }

  private void askTogether(List<InFlight<M>> batch) {
    batch.forEach(message -> message.question = batch);
    port.lookUpCompletions(batch);
  }

  private void gatherLookUp(InFlight<M> message) {
    toLookUp.add(message);
  }

  private void gatherRecord(InFlight<M> message) {
    toRecord.add(message);
  }
}
