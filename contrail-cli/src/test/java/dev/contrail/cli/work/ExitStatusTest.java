package dev.contrail.cli.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.RejectedMessageException;
import dev.contrail.RetryIntent;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ExitStatusTest {
  private static final Optional<Duration> DELAY = Optional.of(Duration.ofSeconds(30));

  private static RuntimeException failure(int code, String stderr, Optional<Duration> delay) {
    return new ExitStatus(code, stderr, delay).failure().orElseThrow();
  }

  @Test
  void zero_is_done_whatever_was_printed() {
    assertThat(new ExitStatus(0, "warning: odd", DELAY).failure()).isEmpty();
  }

  @Test
  void sixty_five_rejects() {
    assertThat(failure(65, "no such customer", DELAY))
        .isInstanceOf(RejectedMessageException.class)
        .hasMessage("the command rejected the message (exit 65): no such customer");
  }

  @Test
  void seventy_five_retries_after_the_delay_or_with_the_backoff() {
    assertThat(failure(75, "bank closed", DELAY))
        .isInstanceOfSatisfying(
            RetryIntent.class, intent -> assertThat(intent.retryAfter()).isEqualTo(DELAY))
        .hasMessage("the command asks for a retry (exit 75): bank closed");
    assertThat(failure(75, "", Optional.empty()))
        .isInstanceOfSatisfying(
            RetryIntent.class, intent -> assertThat(intent.retryAfter()).isEmpty());
  }

  @Test
  void any_other_code_is_unclassified_and_asks_for_no_delay() {
    for (int code : new int[] {1, 2, 64, 66, 74, 76, 126, 127, 128, 255}) {
      assertThat(failure(code, "boom", DELAY))
          .isInstanceOf(HandlerFailedException.class)
          .isNotInstanceOf(RetryIntent.class)
          .hasMessage("the command failed (exit " + code + "): boom");
    }
  }

  @Test
  void a_signal_is_named() {
    assertThat(failure(137, "", DELAY))
        .isInstanceOf(HandlerFailedException.class)
        .hasMessage("the command was killed by SIGKILL (exit 137)");
    assertThat(failure(139, "", DELAY)).hasMessageContaining("SIGSEGV");
  }
}
