package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TurnstileTest {
  private final Turnstile turnstile = new Turnstile(2);

  @Test
  void so_many_are_under_way_and_the_next_begins_when_one_is_done() {
    List<CompletableFuture<Integer>> begun = new ArrayList<>();
    List<CompletableFuture<Integer>> passed =
        IntStream.range(0, 4)
            .mapToObj(
                i ->
                    turnstile.pass(
                        () -> {
                          CompletableFuture<Integer> task = new CompletableFuture<>();
                          begun.add(task);
                          return task;
                        }))
            .toList();
    assertThat(begun).hasSize(2);

    begun.get(1).complete(7);
    assertThat(passed.get(1)).isCompletedWithValue(7);
    assertThat(begun).hasSize(3);
    begun.get(0).completeExceptionally(new IllegalStateException("away"));
    assertThat(passed.get(0)).isCompletedExceptionally();
    assertThat(begun).hasSize(4);
    begun.get(2).complete(8);
    begun.get(3).complete(9);
    assertThat(passed.get(3)).isCompletedWithValue(9);
  }

  @Test
  void what_is_done_at_once_or_throws_keeps_nobody_waiting_and_needs_no_stack() {
    CompletableFuture<Integer> first = new CompletableFuture<>();
    CompletableFuture<Integer> second = new CompletableFuture<>();
    List<CompletableFuture<Integer>> both =
        List.of(turnstile.pass(() -> first), turnstile.pass(() -> second));
    CompletableFuture<Integer> throwing =
        turnstile.pass(
            () -> {
              throw new IllegalStateException("no");
            });
    List<CompletableFuture<Integer>> many =
        IntStream.range(0, 100_000)
            .mapToObj(i -> turnstile.pass(() -> CompletableFuture.completedFuture(i)))
            .toList();

    first.complete(1);

    assertThat(both).extracting(CompletableFuture::isDone).containsExactly(true, false);
    assertThatThrownBy(throwing::join).hasRootCauseMessage("no");
    assertThat(many).allMatch(CompletableFuture::isDone);
  }
}
