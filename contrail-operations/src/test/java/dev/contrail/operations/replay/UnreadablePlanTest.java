package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.impl.Headers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnreadablePlanTest {
  @Test
  void one_that_a_newer_release_wrote_does_not_hide_the_others() throws Exception {
    try (Scene scene = Scene.on(Scene.newest(), RetentionPolicy.WorkQueue)) {
      scene.bury(1);
      PlanHead plan = scene.plan(PlanOptions.DEFAULT);
      scene
          .connection
          .jetStream()
          .publish(
              scene.names.prefix() + ".event._plan.20990101-000000-abc.head",
              new Headers().add("Contrail-Event-Version", "99"),
              new byte[0]);

      List<String> unreadable = new ArrayList<>();
      assertThat(scene.plans.list(unreadable::add))
          .extracting(PlanSummary::head)
          .containsExactly(plan);
      assertThat(unreadable)
          .containsExactly(
              "The plan 20990101-000000-abc cannot be read: it has version 99, and this release"
                  + " reads 1.");
    }
  }
}
