package dev.contrail.jetstream;

import dev.contrail.engine.InFlight;
import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerFactory;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** The ledger of a consumer, which is another one when the stream is another one. */
final class ConsumerLedger {
  private final LedgerFactory factory;
  private final ConsumerIdentity identity;
  private final Duration longestDelay;
  private final Consumer<Signal> signals;
  private final Tally tally;
  private CompletionLedger ledger;
  private Duration effectiveAckWait;
  private boolean toBeOpened;
  private boolean closed;

  ConsumerLedger(
      LedgerFactory factory,
      ConsumerIdentity identity,
      Duration longestDelay,
      Consumer<Signal> signals,
      Tally tally) {
    this.factory = factory;
    this.identity = identity;
    this.longestDelay = longestDelay;
    this.signals = signals;
    this.tally = tally;
    this.effectiveAckWait = longestDelay;
    this.ledger = factory.open(identity.scope());
  }

  void lookUp(List<InFlight<Delivered>> batch) {
    answer(
        () -> opened().completed(batch),
        (BitSet completed) -> (worker, now) -> worker.completionsLookedUp(batch, completed, now),
        cause -> (worker, now) -> worker.lookUpFailed(batch, cause, now));
  }

  void record(List<InFlight<Delivered>> batch) {
    answer(
        () -> timed(batch.size(), opened().record(batch)),
        (Void done) -> (worker, now) -> worker.completionsRecorded(batch, now),
        cause -> (worker, now) -> worker.recordingFailed(batch, cause, now));
  }

  /** The stream is another one now. */
  synchronized void reopen() {
    ledger.close();
    toBeOpened = true;
  }

  /** Whoever asks meets the failure if it cannot be opened, and asks again. */
  private synchronized CompletionLedger opened() {
    if (toBeOpened && !closed) {
      ledger = factory.open(identity.scope());
      toBeOpened = false;
    }
    return ledger;
  }

  /** Why it cannot serve a consumer with that AckWait, if so. */
  synchronized Optional<String> objection(Duration ackWait) {
    effectiveAckWait = ackWait.compareTo(longestDelay) > 0 ? ackWait : longestDelay;
    return ledger.objection(effectiveAckWait);
  }

  /** By how much it keeps completions longer than needed, if it forgets by time. */
  synchronized Optional<Duration> headroom() {
    return ledger.headroom(effectiveAckWait);
  }

  private CompletionStage<Void> timed(int completions, CompletionStage<Void> recording) {
    long begun = System.nanoTime();
    return recording.whenComplete(
        (done, failure) -> {
          if (failure == null) {
            tally.committed(completions, System.nanoTime() - begun);
          } else {
            tally.commitFailed();
          }
        });
  }

  synchronized void close() {
    closed = true;
    ledger.close();
  }

  /** There is always an answer: without one the messages would be held for ever. */
  private <T> void answer(
      Supplier<CompletionStage<T>> question,
      Function<T, Signal> success,
      Function<Throwable, Signal> failure) {
    CompletionStage<T> asked;
    try {
      asked = question.get();
    } catch (RuntimeException | Error e) {
      signals.accept(failure.apply(e));
      return;
    }
    var unused =
        asked.whenComplete(
            (result, cause) ->
                signals.accept(
                    cause == null
                        ? success.apply(result)
                        : failure.apply(JetStreamApi.unwrapped(cause))));
  }
}
