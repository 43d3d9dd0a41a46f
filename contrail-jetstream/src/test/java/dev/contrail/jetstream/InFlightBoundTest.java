package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class InFlightBoundTest {
  private static CompletableFuture<Boolean> enter(InFlightBound bound, long size) {
    CompletableFuture<Boolean> entered = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                entered.complete(bound.enter(size, true));
              } catch (InterruptedException e) {
                entered.completeExceptionally(e);
              }
            });
    thread.start();
    await().until(() -> entered.isDone() || thread.getState() == Thread.State.WAITING);
    return entered;
  }

  @Test
  void one_too_many_waits_for_another_to_leave() throws Exception {
    InFlightBound bound = new InFlightBound(2, 100);
    assertThat(enter(bound, 1).get()).isTrue();
    assertThat(enter(bound, 1).get()).isTrue();
    CompletableFuture<Boolean> third = enter(bound, 1);
    assertThat(third).isNotDone();

    bound.leave(1);

    assertThat(third.get()).isTrue();
    assertThat(bound.messages()).isEqualTo(2);
  }

  @Test
  void one_too_large_waits_and_one_larger_than_the_bound_goes_alone() throws Exception {
    InFlightBound bound = new InFlightBound(10, 100);
    assertThat(enter(bound, 60).get()).isTrue();
    CompletableFuture<Boolean> large = enter(bound, 500);
    assertThat(large).isNotDone();

    bound.leave(60);

    assertThat(large.get()).isTrue();
    assertThat(enter(bound, 1)).isNotDone();
    assertThat(bound.bytes()).isEqualTo(500);
    bound.close();
  }

  @Test
  void whoever_may_not_wait_is_let_in() throws Exception {
    InFlightBound bound = new InFlightBound(1, 100);
    assertThat(enter(bound, 1).get()).isTrue();
    assertThat(bound.enter(1, false)).isTrue();
    assertThat(bound.messages()).isEqualTo(2);
  }

  @Test
  void nobody_is_let_in_once_it_is_closed() throws Exception {
    InFlightBound bound = new InFlightBound(1, 100);
    assertThat(enter(bound, 1).get()).isTrue();
    CompletableFuture<Boolean> waiting = enter(bound, 1);
    assertThat(waiting).isNotDone();

    bound.close();

    assertThat(waiting.get()).isFalse();
    assertThat(bound.enter(1, false)).isFalse();
  }
}
