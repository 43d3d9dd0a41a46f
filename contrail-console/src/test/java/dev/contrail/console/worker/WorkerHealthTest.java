package dev.contrail.console.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.console.health.Check;
import dev.contrail.console.health.Readiness;
import dev.contrail.console.worker.WorkerHealth.Work;
import dev.contrail.engine.StoreKind;
import io.nats.client.Connection.Status;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkerHealthTest {
  private static final Work FINE = new Work(List.of(), 0, false, false);

  @Test
  void one_that_works_is_ready() {
    Readiness readiness = health(Status.CONNECTED, Optional.of(FINE), false);
    assertThat(readiness.isReady()).isTrue();
    assertThat(readiness.isDegraded()).isFalse();
    assertThat(readiness.checks()).extracting(Check::name).containsExactly("nats", "worker");
  }

  @Test
  void one_that_has_not_begun_or_is_cut_off_or_is_to_end_is_not() {
    assertThat(health(Status.CONNECTED, Optional.empty(), false).isReady()).isFalse();
    assertThat(health(Status.RECONNECTING, Optional.of(FINE), false).isReady()).isFalse();
    assertThat(health(Status.CONNECTED, Optional.of(FINE), true).isReady()).isFalse();
  }

  @Test
  void what_another_in_its_place_would_meet_too_only_degrades_it() {
    for (Work work :
        List.of(
            new Work(List.of(StoreKind.DEAD_LETTERS), 3, false, false),
            new Work(List.of(), 9, true, false),
            new Work(List.of(), 0, false, true))) {
      assertThat(health(Status.CONNECTED, Optional.of(work), false).isDegraded()).isTrue();
    }
    assertThat(
            health(
                    Status.CONNECTED,
                    Optional.of(new Work(List.of(StoreKind.DEAD_LETTERS), 3, false, false)),
                    false)
                .checks()
                .get(1)
                .detail())
        .isEqualTo("3 messages are held: cannot use dead letters");
  }

  private static Readiness health(Status nats, Optional<Work> work, boolean stopping) {
    return new WorkerHealth("nats://127.0.0.1:4222", nats, work, stopping).readiness();
  }
}
