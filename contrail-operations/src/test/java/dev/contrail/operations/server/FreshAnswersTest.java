package dev.contrail.operations.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class FreshAnswersTest {
  private static final Duration SOON = Duration.ofSeconds(10);

  @Test
  void an_error_is_an_answer_and_the_next_is_answered_too() {
    AtomicBoolean asked = new AtomicBoolean();
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      FreshAnswers<String, String> answers =
          new FreshAnswers<>(
              key -> {
                if (asked.compareAndSet(false, true)) {
                  throw new NoClassDefFoundError("of a test");
                }
                return key;
              },
              executor);
      assertThat(answers.ask("ORDERS"))
          .failsWithin(SOON)
          .withThrowableThat()
          .withCauseInstanceOf(NoClassDefFoundError.class);
      assertThat(answers.ask("ORDERS")).succeedsWithin(SOON).isEqualTo("ORDERS");
    } finally {
      executor.shutdownNow();
    }
  }
}
