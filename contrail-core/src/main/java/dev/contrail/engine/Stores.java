package dev.contrail.engine;

import java.util.EnumSet;

/** What the worker asks of its stores: dead letters looked up and written, last chances noted. */
final class Stores<M> {
  private final Port<M> port;
  private final Store<M> deadLetters =
      new Store<>(
          EnumSet.of(DeliveryState.CHECKING, DeliveryState.BURYING), this::askForDeadLetter);
  private final Store<M> notes =
      new Store<>(
          EnumSet.of(DeliveryState.CHECKING, DeliveryState.STARTING, DeliveryState.NOTING),
          this::askForNote);

  Stores(Port<M> port) {
    this.port = port;
  }

  /** Looks its dead letter up, or writes it, as its state has it. */
  void deadLetter(InFlight<M> message) {
    deadLetters.request(message);
  }

  /** Reads or writes its note, as its state has it. */
  void note(InFlight<M> message) {
    notes.request(message);
  }

  void answered(StoreKind kind) {
    if (store(kind).answered()) {
      port.report(new WorkerEvent.StoreBack<>(kind));
    }
  }

  void failed(StoreKind kind, InFlight<M> message, Throwable cause, Now now) {
    if (message.state().isOver()) {
      return;
    }
    if (store(kind).failed(message, now)) {
      port.report(new WorkerEvent.StoreDown<>(kind, cause));
    }
  }

  void tick(Now now) {
    deadLetters.tick(now);
    notes.tick(now);
  }

  int waiting() {
    return deadLetters.waiting() + notes.waiting();
  }

  private Store<M> store(StoreKind kind) {
    return kind == StoreKind.DEAD_LETTERS ? deadLetters : notes;
  }

  private void askForDeadLetter(InFlight<M> message) {
    if (message.is(DeliveryState.CHECKING)) {
      port.checkDeadLetter(message);
    } else {
      port.bury(message);
    }
  }

  private void askForNote(InFlight<M> message) {
    if (message.is(DeliveryState.CHECKING)) {
      port.readNote(message);
    } else {
      port.writeNote(message, noteOf(message));
    }
  }

  private RunNote noteOf(InFlight<M> message) {
    RunNote.Kind kind =
        message.is(DeliveryState.NOTING)
            ? RunNote.Kind.ENDED
            : message.alone ? RunNote.Kind.STARTED_ALONE : RunNote.Kind.STARTED_IN_COMPANY;
    return new RunNote(kind, message.deliveries());
  }
}
