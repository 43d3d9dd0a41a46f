package dev.contrail.operations.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ScheduleTest {
  private static final Duration OFTEN = Duration.ofMillis(1);

  @Test
  void a_task_that_hangs_holds_up_no_other_and_is_not_begun_again() throws Exception {
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger other = new AtomicInteger();
    CountDownLatch never = new CountDownLatch(1);
    Schedule schedule =
        new Schedule(
            List.of(
                task(
                    "hangs",
                    () -> {
                      begun.incrementAndGet();
                      never.await();
                    }),
                task("works", other::incrementAndGet)));
    schedule.start();

    await().until(() -> other.get() > 20);
    assertThat(begun).hasValue(1);

    assertThat(schedule.end(Duration.ofSeconds(10))).as("what hangs is interrupted").isTrue();
    int last = other.get();
    assertThat(schedule.status().get(1).runs()).isEqualTo(last);
  }

  @Test
  void a_task_that_fails_goes_on() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    Schedule schedule =
        new Schedule(
            List.of(
                task(
                    "fails",
                    () -> {
                      if (tries.incrementAndGet() < 5) {
                        throw new IllegalStateException("not yet");
                      }
                    })));
    schedule.start();

    await().until(() -> schedule.status().get(0).lastSuccess().isPresent());
    assertThat(schedule.status().get(0).failures()).isEqualTo(4);
    assertThat(schedule.end(Duration.ofSeconds(10))).isTrue();
  }

  @Test
  void the_end_is_waited_for_no_longer_than_told() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    Schedule schedule =
        new Schedule(
            List.of(
                task(
                    "deaf",
                    () -> {
                      begun.countDown();
                      boolean done = false;
                      while (!done) {
                        try {
                          free.await();
                          done = true;
                        } catch (InterruptedException e) {
                          // Does not listen.
                        }
                      }
                    })));
    schedule.start();
    begun.await();

    assertThat(schedule.end(Duration.ofMillis(50))).isFalse();
    free.countDown();
    assertThat(schedule.end(Duration.ofSeconds(10))).isTrue();
  }

  private static RepeatedTask task(String name, RepeatedTask.Work work) {
    return new RepeatedTask(
        name,
        OFTEN,
        work,
        InstantSource.system(),
        new RepeatedTask.Listener() {
          @Override
          public void failing(TaskStatus task) {}

          @Override
          public void recovered(TaskStatus task) {}
        });
  }
}
