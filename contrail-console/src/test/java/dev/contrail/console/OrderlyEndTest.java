package dev.contrail.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class OrderlyEndTest {
  private final List<String> happened = new CopyOnWriteArrayList<>();

  @Test
  void each_step_ends_before_the_next_begins() throws Exception {
    OrderlyEnd end = new OrderlyEnd(Duration.ofSeconds(30), part -> happened.add("left " + part));
    end.step("guard", () -> happened.add("guard"));
    end.step("index", () -> happened.add("index"));

    assertThat(happened).containsExactly("guard", "index");
  }

  @Test
  void what_hangs_is_left_behind_and_the_rest_still_ends() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    OrderlyEnd end = new OrderlyEnd(Duration.ofMillis(50), part -> happened.add("left " + part));
    end.step("guard", () -> awaitForEver(never));
    end.step("index", () -> happened.add("index"));

    assertThat(happened).containsExactly("left guard", "index");
    never.countDown();
  }

  private static void awaitForEver(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
