package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.RetentionPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The same dead letter replayed twice, within the duplicate window of its stream and after it. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.replay.Scene#servers")
class RepeatedReplayTest {
  private static final Duration SHORT = Duration.ofMillis(100);

  private final NatsServerBinary binary;

  RepeatedReplayTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @Test
  void it_is_published_and_processed_once_within_the_window() throws Exception {
    assertPublishedOnce(Duration.ofMinutes(2), false);
  }

  @Test
  void it_is_published_and_processed_once_after_the_window() throws Exception {
    assertPublishedOnce(SHORT, true);
  }

  private void assertPublishedOnce(Duration window, boolean over) throws Exception {
    try (Scene scene = Scene.on(binary, RetentionPolicy.WorkQueue, window)) {
      DeadLetterId id = scene.die(1).get(0);
      PlanHead first = scene.plan(PlanOptions.DEFAULT);
      PlanHead second = scene.plan(PlanOptions.DEFAULT);
      assertThat(second.entries()).as("drafted while it was open").isEqualTo(1);
      scene.run(first);
      if (over) {
        scene.awaitDuplicateWindowOver(window);
      }
      // Whoever runs a plan again, or another one with the same entry, publishes no second copy.
      scene.run(first);
      scene.run(second);
      assertThat(scene.messages()).isEqualTo(1);

      try (ContrailConsumer worker = scene.worker()) {
        assertThat(scene.awaitAll(first).tally().resolved()).isEqualTo(1);
      }
      assertThat(scene.runs).hasSize(1);
      assertThat(scene.status(id)).isEqualTo(Status.RESOLVED);
      assertThat(scene.plans.report(second.plan(), Scene.ANN).tally().leftOut()).isEqualTo(1);
      scene.run(second);
      assertThat(scene.messages()).isZero();
    }
  }
}
