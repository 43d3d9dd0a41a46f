package dev.contrail.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ProgressTest {
  private final AtomicLong clock = new AtomicLong();
  private final StringWriter text = new StringWriter();

  private Progress progress(Terminal terminal, long total) {
    return new Progress(new PrintWriter(text), terminal, "replaying", total, clock::get);
  }

  private void pass(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  @Test
  void elsewhere_than_on_a_terminal_it_says_a_line_now_and_then() {
    try (Progress progress = progress(Terminal.none(), 200)) {
      progress.done(10);
      pass(Duration.ofSeconds(6));
      progress.done(50);
      progress.done(60);
      progress.done(200);
    }
    assertThat(text.toString())
        .isEqualTo("replaying: 50 of 200 (25%)\nreplaying: 200 of 200 (100%)\n");
  }

  @Test
  void on_a_terminal_it_redraws_a_bar_and_ends_the_line_once() {
    try (Progress progress = progress(new Terminal(true, true, 80, true), 4)) {
      pass(Duration.ofMillis(100));
      progress.done(1);
      pass(Duration.ofMillis(10));
      progress.done(2);
      pass(Duration.ofMillis(100));
      progress.done(4);
    }
    assertThat(text.toString().split("\r", -1))
        .satisfiesExactly(
            nothing -> assertThat(nothing).isEmpty(),
            quarter -> assertThat(quarter).contains("1 of 4 (25%)", "█", "░"),
            whole -> assertThat(whole).contains("4 of 4 (100%)").doesNotContain("░"));
    assertThat(text.toString()).endsWith("\n").containsOnlyOnce("\n");
  }

  @Test
  void of_nothing_to_do_nothing_is_shown() {
    progress(Terminal.none(), 0).close();
    assertThat(text.toString()).isEmpty();
  }
}
