package dev.contrail.jetstream;

import dev.contrail.engine.InFlight;
import dev.contrail.engine.Now;
import dev.contrail.engine.Worker;
import dev.contrail.event.UnreadableEventException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks up and records the completion of copies that a replay published: in the events of their
 * dead letter first, then in the ledger, if one is kept.
 */
final class Replays {
  private static final Logger log = LoggerFactory.getLogger(Replays.class);
  private static final int MOST_AT_ONCE = 128;
  private static final Duration IN_A_WHILE = Duration.ofSeconds(1);

  private final CopyJudge judge;
  private final Optional<ConsumerLedger> ledger;
  private final Consumer<Signal> signals;
  private final Surroundings surroundings;
  private final Turnstile turnstile = new Turnstile(MOST_AT_ONCE);

  Replays(
      CopyJudge judge,
      Optional<ConsumerLedger> ledger,
      Consumer<Signal> signals,
      Surroundings surroundings) {
    this.judge = judge;
    this.ledger = ledger;
    this.signals = signals;
    this.surroundings = surroundings;
  }

  /** On the worker's thread. The answer is to this very question, which is of one copy. */
  void lookUp(List<InFlight<Delivered>> question) {
    InFlight<Delivered> message = question.get(0);
    var unused =
        judged(message.message(), message.sequence())
            .whenComplete(
                (verdict, failure) ->
                    signals.accept(
                        failure == null
                            ? (worker, now) -> lookedUp(question, verdict, worker, now)
                            : (worker, now) ->
                                worker.lookUpFailed(
                                    question, JetStreamApi.unwrapped(failure), now)));
  }

  private CompletableFuture<CopyVerdict> judged(Delivered delivered, long sequence) {
    return turnstile
        .pass(() -> judge.judge(delivered, sequence))
        .exceptionallyCompose(
            failure ->
                JetStreamApi.unwrapped(failure) instanceof UnreadableEventException unreadable
                    ? CompletableFuture.completedFuture(held(unreadable))
                    : CompletableFuture.failedFuture(failure));
  }

  /** Says nothing of other copies, so these must not wait for it. */
  private static CopyVerdict held(UnreadableEventException unreadable) {
    log.error("A message is held: {}", unreadable.getMessage());
    return CopyVerdict.Held.HELD;
  }

  private void lookedUp(
      List<InFlight<Delivered>> question, CopyVerdict verdict, Worker<Delivered> worker, Now now) {
    if (verdict instanceof CopyVerdict.Held) {
      // Or this one would stand for a store that is down, and keep the copy that it waits for
      // from being looked up.
      worker.lookUpHeld(question, now);
      askAgain(question);
    } else if (verdict instanceof CopyVerdict.Settled) {
      answer(question, true, worker, now);
    } else {
      question.get(0).replay(verdict);
      if (ledger.isPresent()) {
        ledger.get().lookUp(question);
      } else {
        answer(question, false, worker, now);
      }
    }
  }

  private static void answer(
      List<InFlight<Delivered>> question, boolean completed, Worker<Delivered> worker, Now now) {
    BitSet positions = new BitSet();
    positions.set(0, completed);
    worker.completionsLookedUp(question, positions, now);
  }

  /** The question stays open: the message is held under its lease. */
  private void askAgain(List<InFlight<Delivered>> question) {
    surroundings
        .background(IN_A_WHILE)
        .execute(
            () ->
                signals.accept(
                    (worker, now) -> {
                      if (question.get(0).isAsked()) {
                        lookUp(question);
                      }
                    }));
  }

  /**
   * On the worker's thread. The outcome of the replay is told before the ledger, and both before
   * the ack: killed in between, the next delivery finds the outcome and is acked unrun.
   */
  void record(List<InFlight<Delivered>> batch) {
    List<CompletableFuture<Void>> told =
        batch.stream().map(message -> told(message.replay(), message.sequence())).toList();
    whenAll(told, (worker, now) -> recorded(batch, told, worker, now));
  }

  private CompletableFuture<Void> told(@Nullable Object replay, long sequence) {
    return replay instanceof CopyVerdict.MayRun run
        ? turnstile.pass(() -> judge.resolved(run, sequence))
        : CompletableFuture.completedFuture(null);
  }

  private void recorded(
      List<InFlight<Delivered>> batch,
      List<CompletableFuture<Void>> told,
      Worker<Delivered> worker,
      Now now) {
    List<InFlight<Delivered>> resolved = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      if (!told.get(i).isCompletedExceptionally()) {
        resolved.add(batch.get(i));
      }
    }
    if (ledger.isPresent() && !resolved.isEmpty()) {
      ledger.get().record(resolved);
    } else if (!resolved.isEmpty()) {
      worker.completionsRecorded(resolved, now);
    }
    failed(batch, told, (some, cause) -> worker.recordingFailed(some, cause, now));
  }

  private interface Failure {
    void of(List<InFlight<Delivered>> some, Throwable cause);
  }

  private static <T> void failed(
      List<InFlight<Delivered>> batch, List<CompletableFuture<T>> answers, Failure failure) {
    List<InFlight<Delivered>> some = new ArrayList<>();
    Throwable cause = null;
    for (int i = 0; i < batch.size(); i++) {
      if (answers.get(i).isCompletedExceptionally()) {
        some.add(batch.get(i));
        cause = cause == null ? causeOf(answers.get(i)) : cause;
      }
    }
    if (cause != null) {
      failure.of(some, cause);
    }
  }

  private static <T> Throwable causeOf(CompletableFuture<T> failed) {
    return failed.handle((value, failure) -> JetStreamApi.unwrapped(failure)).join();
  }

  /** There is always an answer: without one the messages would be held for ever. */
  private <T> void whenAll(List<CompletableFuture<T>> futures, Signal then) {
    var unused =
        CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new))
            .whenComplete((done, failure) -> signals.accept(then));
  }
}
