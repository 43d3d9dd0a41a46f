package dev.contrail.operations.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RepeatedTaskTest {
  private static final Duration EVERY = Duration.ofMinutes(5);

  private final List<String> told = new ArrayList<>();
  private Instant now = Instant.parse("2026-01-01T12:00:00Z");
  private @Nullable Throwable failure;

  private final RepeatedTask task =
      new RepeatedTask(
          "doctor",
          EVERY,
          () -> {
            Throwable thrown = failure;
            if (thrown instanceof Error error) {
              throw error;
            }
            if (thrown instanceof Exception exception) {
              throw exception;
            }
          },
          () -> now,
          new RepeatedTask.Listener() {
            @Override
            public void failing(TaskStatus task) {
              told.add("failing: " + task.failure().orElseThrow());
            }

            @Override
            public void recovered(TaskStatus task) {
              told.add("recovered");
            }
          });

  @Test
  void after_success_it_rests_for_its_time() throws Exception {
    assertThat(task.runOnce()).isEqualTo(EVERY);

    assertThat(task.status())
        .isEqualTo(new TaskStatus("doctor", EVERY, 1, 0, 0, Optional.of(now), Optional.empty()));
    assertThat(told).isEmpty();
  }

  @Test
  void after_failures_it_is_tried_again_soon_and_then_less_often() throws Exception {
    failure = new IllegalStateException("no server");
    List<Long> rests = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      rests.add(task.runOnce().toSeconds());
    }

    assertThat(rests).containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L, 30L);
    assertThat(TaskStatus.of("quick", Duration.ofMillis(100)).failed("no").rest())
        .as("never longer than its own time")
        .isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void a_failure_is_told_once_and_so_is_its_end() throws Exception {
    Instant good = now;
    task.runOnce();
    now = now.plusSeconds(60);
    failure = new IllegalStateException("no server");
    task.runOnce();
    task.runOnce();

    assertThat(told).containsExactly("failing: no server");
    assertThat(task.status().lastSuccess()).contains(good);
    assertThat(task.status().failures()).isEqualTo(2);

    failure = new IllegalStateException("not allowed");
    task.runOnce();
    failure = null;
    task.runOnce();
    task.runOnce();

    assertThat(told).containsExactly("failing: no server", "failing: not allowed", "recovered");
    assertThat(task.status().isFailing()).isFalse();
    assertThat(task.status().lastSuccess()).contains(now);
    assertThat(task.status().runs()).isEqualTo(6);
  }

  @Test
  void an_error_is_survived_too() throws Exception {
    failure = new StackOverflowError();

    assertThat(task.runOnce()).isEqualTo(Duration.ofSeconds(1));
    assertThat(told).containsExactly("failing: java.lang.StackOverflowError");
  }

  @Test
  void to_be_interrupted_is_no_failure() {
    failure = new InterruptedException();

    assertThatThrownBy(task::runOnce).isInstanceOf(InterruptedException.class);
    assertThat(task.status()).isEqualTo(TaskStatus.of("doctor", EVERY));

    failure = new IllegalStateException("the client wraps it");
    Thread.currentThread().interrupt();

    assertThatThrownBy(task::runOnce).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(told).isEmpty();
  }
}
