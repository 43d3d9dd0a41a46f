package dev.contrail.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** Calls of a ledger, and their answers waited for. */
final class LedgerCalls {
  private static final Duration AT_ONCE = Duration.ofSeconds(1);
  private static final Duration BETWEEN_TRIES = Duration.ofMillis(50);

  private final Duration patience;

  LedgerCalls(Duration patience) {
    this.patience = patience;
  }

  <T> T answer(CompletionStage<T> call) {
    try {
      return call.toCompletableFuture().get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("a call failed, although the server is there", e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("a call was not answered within " + patience, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** With success or failure. */
  void isAnswered(CompletionStage<?> call) {
    answer(call.handle((result, failure) -> true));
  }

  /** Makes the call, and sees that it does not keep its caller. */
  <T> CompletionStage<T> atOnce(Supplier<CompletionStage<T>> call) {
    long began = System.nanoTime();
    CompletionStage<T> called = call.get();
    assertThat(Duration.ofNanos(System.nanoTime() - began))
        .as("how long a call kept its caller")
        .isLessThan(AT_ONCE);
    return called;
  }

  /** Calls again until it succeeds. */
  <T> T until(Supplier<CompletionStage<T>> call) {
    long began = System.nanoTime();
    while (true) {
      CompletableFuture<T> called = call.get().toCompletableFuture();
      isAnswered(called);
      if (!called.isCompletedExceptionally()) {
        return called.join();
      }
      if (System.nanoTime() - began > patience.toNanos()) {
        return answer(called);
      }
      LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
    }
  }

  /** The sequences of those that are completed. */
  List<Long> completed(CompletionLedger ledger, List<? extends LedgerEntry> messages) {
    return chosen(messages, answer(ledger.completed(messages)));
  }

  void record(History history, CompletionLedger ledger, List<TestMessage> batch) {
    long began = System.nanoTime();
    batch.forEach(message -> history.recordBegan(message.sequence(), began));
    answer(ledger.record(batch));
    long ended = System.nanoTime();
    batch.forEach(message -> history.recordConfirmed(message.sequence(), ended));
  }

  void lookUp(History history, CompletionLedger ledger, List<TestMessage> batch) {
    long began = System.nanoTime();
    BitSet completed = answer(ledger.completed(batch));
    long ended = System.nanoTime();
    for (int i = 0; i < batch.size(); i++) {
      history.lookedUp(batch.get(i).sequence(), completed.get(i), began, ended);
    }
  }

  /** Runs the work in as many threads, which are numbered from 0. */
  void inParallel(int threads, IntConsumer work) {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int number = i;
      CompletableFuture<Void> done = new CompletableFuture<>();
      all.add(done);
      new Thread(() -> run(work, number, done), "conformance-" + number).start();
    }
    all.forEach(CompletableFuture::join);
  }

  private static void run(IntConsumer work, int number, CompletableFuture<Void> done) {
    try {
      work.accept(number);
      done.complete(null);
    } catch (RuntimeException | Error e) {
      done.completeExceptionally(e);
    }
  }

  static List<Long> chosen(List<? extends LedgerEntry> messages, BitSet positions) {
    assertThat(positions.length()).as("positions").isLessThanOrEqualTo(messages.size());
    return positions.stream().mapToObj(position -> messages.get(position).sequence()).toList();
  }
}
