package dev.contrail.console.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.engine.WorkerCounts;
import dev.contrail.jetstream.report.WorkerReport;
import dev.contrail.operations.workers.Look;
import dev.contrail.operations.workers.Roll;
import dev.contrail.operations.workers.WorkerSeen;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkerNewsTest {
  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

  private final WorkerNews news = new WorkerNews();
  private final List<WorkerReport> workers = new ArrayList<>();

  private static WorkerReport worker(String name, String consumer, long held, boolean open) {
    return new WorkerReport(
        new WorkerReport.Who(name, name + "-1", "1", Optional.empty(), "ORDERS", consumer, START),
        START,
        new WorkerCounts(0, 0, 0, 0, 0, 0, 0, 0),
        WorkerReport.Rates.NONE,
        new WorkerReport.Load(1, held, Optional.empty()),
        false,
        open ? Optional.of(new WorkerReport.OpenBreaker(START, "", "")) : Optional.empty(),
        List.of(),
        List.of(),
        0);
  }

  private List<NoticeKind> look(long second) {
    return news.look(workers, START.plusSeconds(second)).stream().map(Notice::kind).toList();
  }

  @Test
  void while_nobody_can_look_nothing_is_said_to_last() {
    Roll roll =
        new Roll(
            List.of(new WorkerSeen(worker("a", "billing", 40, false), Optional.empty())),
            List.of(),
            List.of());
    for (int again = 0; again < 200; again++) {
      assertThat(news.look(new Look(roll, START))).isEmpty();
    }
    assertThat(news.look(new Look(roll, START.plusSeconds(61)))).hasSize(1);
  }

  @Test
  void a_breaker_is_told_once_for_all_workers_of_a_consumer_and_again_after_it_was_closed() {
    workers.add(worker("a", "billing", 0, false));
    workers.add(worker("b", "billing", 0, false));
    assertThat(look(0)).isEmpty();
    workers.set(0, worker("a", "billing", 40, true));
    List<Notice> first = news.look(workers, START.plusSeconds(1));
    assertThat(first).hasSize(1);
    assertThat(first.get(0).text())
        .startsWith("The circuit breaker of 1 of 2 workers of ORDERS > billing is open");
    assertThat(first.get(0).about())
        .containsEntry("stream", "ORDERS")
        .containsEntry("consumer", "billing")
        .containsEntry("worker", "a");
    workers.set(1, worker("b", "billing", 40, true));
    for (int second = 2; second < 200; second++) {
      assertThat(look(second)).as("second %s", second).isEmpty();
    }
    workers.set(0, worker("a", "billing", 0, false));
    workers.set(1, worker("b", "billing", 0, false));
    for (int second = 200; second < 240; second++) {
      assertThat(look(second)).isEmpty();
    }
    workers.set(1, worker("b", "billing", 1, true));
    assertThat(look(240)).containsExactly(NoticeKind.BREAKER_OPEN);
  }

  @Test
  void a_hold_is_told_after_a_minute_without_a_break() {
    workers.add(worker("a", "billing", 3, false));
    workers.add(worker("b", "shipping", 0, false));
    for (int second = 0; second <= 60; second++) {
      assertThat(look(second)).as("second %s", second).isEmpty();
    }
    assertThat(look(61)).containsExactly(NoticeKind.HELD);
    assertThat(look(62)).isEmpty();
  }

  @Test
  void holds_that_come_and_go_are_none() {
    for (int second = 0; second < 300; second++) {
      workers.clear();
      workers.add(worker("a", "billing", second % 50 == 0 ? 0 : 5, false));
      assertThat(look(second)).as("second %s", second).isEmpty();
    }
  }

  @Test
  void a_breaker_that_was_open_at_the_first_look_is_told() {
    workers.add(worker("a", "billing", 0, true));
    assertThat(look(0)).containsExactly(NoticeKind.BREAKER_OPEN);
  }

  @Test
  void it_reaches_whoever_listens() throws Exception {
    try (Receiver receiver = new Receiver();
        Notices notices =
            new Notices(
                new NoticeSettings(Optional.of(receiver.at("/")), Optional.empty()),
                () -> true,
                "contrail/test",
                "nats://a:4222",
                InstantSource.system())) {
      workers.add(worker("a", "billing", 3, true));
      workers.add(worker("c", "shipping", 3, false));
      news.look(workers, START).forEach(notices::tell);
      news.look(workers, START.plusSeconds(61)).forEach(notices::tell);
      await().atMost(Duration.ofSeconds(30)).until(() -> receiver.got.size() == 2);
      assertThat(receiver.kinds()).containsExactly("breaker-open", "held");
      assertThat(receiver.got.get(1).json().path("about").path("consumer").asString())
          .isEqualTo("shipping");
    }
  }
}
