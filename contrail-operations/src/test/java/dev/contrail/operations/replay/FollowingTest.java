package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.event.ReplayOutcome;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.CopyPublisher;
import dev.contrail.jetstream.PlanStore;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.server.NatsServer;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.StreamConfiguration;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FollowingTest {
  private static final String THREAD = "contrail-outcomes";

  @Test
  void a_run_that_ends_while_one_that_came_back_is_read_is_not_stopped_by_that() throws Exception {
    JetStreamOptions options = JetStreamOptions.defaultOptions();
    try (NatsServer server = NatsServer.builder().binary(Scene.newest()).start();
        Scene scene = Scene.at(server.url(), "S", "r")) {
      scene.management.addStream(StreamConfiguration.builder().name("S").subjects("S.>").build());
      scene.bury(1);
      PlanHead head = scene.plan(PlanOptions.DEFAULT);
      PlanStore plans = new PlanStore(scene.connection, options, scene.names);
      List<PlanEntry> entries = plans.entries(head).join();
      Outcomes outcomes = new Outcomes(entries, Map.of(), Instant.MIN);
      StopSign stop = new StopSign();
      ServerFacts facts = new ServerFacts(scene.connection, options, scene.names);
      Following following =
          new Followings(
                  scene.connection,
                  options,
                  scene.names,
                  scene.events,
                  new CopyPublisher(scene.connection, options),
                  scene.deadLetters(),
                  facts,
                  Clock.systemUTC())
              .begin(
                  plans.find(head.plan()).join().orElseThrow(),
                  outcomes,
                  Scene.ANN,
                  stop,
                  PlanReport.NO_LISTENER,
                  true);
      server.freeze();
      DeadLetterId id = entries.get(0).id();
      outcomes.told(id, 1, new ReplayOutcome.Returned(id), Instant.MAX);
      await()
          .atMost(Scene.SOON)
          .until(
              () ->
                  comparing().anyMatch(it -> it.getKey().getState() == Thread.State.TIMED_WAITING));

      following.close();

      await().atMost(Scene.SOON).until(() -> comparing().findAny().isEmpty());
      assertThat(stop.reason()).isEmpty();
      server.thaw();
    }
  }

  /** Its thread, if it is reading something. */
  private static Stream<Map.Entry<Thread, StackTraceElement[]>> comparing() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(it -> it.getKey().getName().equals(THREAD))
        .filter(
            it ->
                List.of(it.getValue()).stream()
                    .anyMatch(frame -> frame.getMethodName().equals("compare")));
  }
}
