package dev.contrail.jetstream;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Asks for the stream that takes messages of a subject. That there is none counts only when it is
 * said again and again for a moment: a cluster one of whose servers has just ended or begun was
 * seen to know of no stream. For Contrail's own modules.
 */
public final class StreamOfSubject {
  private static final int NONE_IS_SAID = 5;
  private static final Duration BEFORE_ASKING_AGAIN = Duration.ofMillis(400);

  private StreamOfSubject() {}

  /**
   * The stream; empty where there is none. Blocks until that is certain, so no lock should be held.
   *
   * @param question what to ask the server; fails on a thread that is interrupted
   */
  public static Optional<String> ask(Supplier<Optional<String>> question) {
    return ask(question, StreamOfSubject::pause);
  }

  /** The same with other pauses. */
  static Optional<String> ask(Supplier<Optional<String>> question, Consumer<Duration> pause) {
    Optional<String> found = question.get();
    for (int i = 1; i < NONE_IS_SAID && found.isEmpty(); i++) {
      pause.accept(BEFORE_ASKING_AGAIN);
      found = question.get();
    }
    return found;
  }

  /** The same without blocking. */
  static CompletableFuture<Optional<String>> ask(
      Supplier<CompletableFuture<Optional<String>>> question,
      Function<Duration, Executor> background) {
    return ask(question, background, NONE_IS_SAID);
  }

  private static CompletableFuture<Optional<String>> ask(
      Supplier<CompletableFuture<Optional<String>>> question,
      Function<Duration, Executor> background,
      int times) {
    return question
        .get()
        .thenCompose(
            found ->
                found.isPresent() || times == 1
                    ? CompletableFuture.completedFuture(found)
                    : CompletableFuture.supplyAsync(
                            () -> times - 1, background.apply(BEFORE_ASKING_AGAIN))
                        .thenCompose(left -> ask(question, background, left)));
  }

  static void pause(Duration duration) {
    LockSupport.parkNanos(duration.toNanos());
  }
}
