package dev.contrail.operations.server;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Answers to a question that many ask at the same time. Whoever asks gets an answer to a question
 * that was put after that, never an older one; those who ask meanwhile share the next.
 */
public final class FreshAnswers<K, V> {
  private final Function<K, V> question;
  private final Executor executor;
  private final Map<K, Turn<V>> turns = new HashMap<>();

  /**
   * For a question.
   *
   * @param question may block; what it throws is what those who asked get
   * @param executor where it is put
   */
  public FreshAnswers(Function<K, V> question, Executor executor) {
    this.question = question;
    this.executor = executor;
  }

  private static final class Turn<V> {
    private CompletableFuture<V> next = new CompletableFuture<>();
    private boolean awaited = true;
  }

  public CompletableFuture<V> ask(K key) {
    CompletableFuture<V> answer;
    synchronized (turns) {
      Turn<V> turn = turns.get(key);
      if (turn != null) {
        turn.awaited = true;
        return turn.next;
      }
      Turn<V> first = new Turn<>();
      turns.put(key, first);
      answer = first.next;
    }
    executor.execute(() -> put(key));
    return answer;
  }

  private void put(K key) {
    CompletableFuture<V> asked;
    synchronized (turns) {
      Turn<V> turn = turns.get(key);
      if (turn == null || !turn.awaited) {
        turns.remove(key);
        return;
      }
      asked = turn.next;
      turn.next = new CompletableFuture<>();
      turn.awaited = false;
    }
    try {
      asked.complete(question.apply(key));
    } catch (Throwable e) {
      // An error too: nobody would ever be answered again.
      asked.completeExceptionally(e);
    }
    executor.execute(() -> put(key));
  }
}
