package dev.contrail.operations.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.operations.doctor.advice.Advice;
import dev.contrail.operations.doctor.advice.Needs;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdviceTest {
  private static Advice advice(
      boolean waits, boolean vanish, boolean several, Optional<Needs.Bounds> bounds) {
    return Advice.of(new Needs("ORDERS", List.of("orders.>"), waits, vanish, several, bounds, 1));
  }

  @ParameterizedTest
  @CsvSource({
    // waits for a worker, may vanish, several readers
    "true, false, false, WorkQueue",
    "true, false, true, Limits",
    "false, true, false, Interest",
    "false, true, true, Interest",
    "false, false, false, WorkQueue",
    "false, false, true, Limits"
  })
  void the_retention_follows_from_the_answers(
      boolean waits, boolean vanish, boolean several, RetentionPolicy expected) {
    Advice advice = advice(waits, vanish, several, Optional.empty());
    assertThat(advice.stream().getRetentionPolicy()).isEqualTo(expected);
    assertThat(advice.reasons().get(0)).startsWith("Retention is " + expected + ":");
    assertThat(advice.reasons()).anyMatch(reason -> reason.contains("CT024"));
  }

  @Test
  void what_is_bounded_refuses_rather_than_deletes() {
    StreamConfiguration queue =
        advice(true, false, false, Optional.of(new Needs.Bounds(5_000, Optional.empty()))).stream();
    assertThat(queue.getMaxBytes()).isEqualTo(5_000);
    assertThat(queue.getDiscardPolicy()).isEqualTo(DiscardPolicy.New);
    assertThat(queue.getMaxAge()).isZero();
    assertThat(
            advice(true, false, true, Optional.of(new Needs.Bounds(5_000, Optional.empty())))
                .stream()
                .getMaxAge())
        .as("of a stream in which nothing else makes room")
        .isEqualTo(Duration.ofDays(7));
  }

  @Test
  void the_command_creates_just_that() {
    assertThat(
            advice(
                    true,
                    false,
                    false,
                    Optional.of(new Needs.Bounds(5_000, Optional.of(Duration.ofHours(36)))))
                .command())
        .isEqualTo(
            "nats stream add ORDERS --subjects='orders.>' --storage=file --retention=work"
                + " --discard=new --max-age=36h --max-msgs=-1 --max-msgs-per-subject=-1"
                + " --max-bytes=5000 --max-msg-size=-1 --dupe-window=2m --no-allow-direct"
                + " --replicas=1 --defaults");
  }
}
