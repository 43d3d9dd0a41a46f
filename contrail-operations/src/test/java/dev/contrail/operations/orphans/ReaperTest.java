package dev.contrail.operations.orphans;

import static dev.contrail.operations.orphans.Reaps.letters;
import static dev.contrail.operations.orphans.Reaps.plan;
import static dev.contrail.operations.orphans.Reaps.prepare;
import static dev.contrail.operations.orphans.Reaps.real;
import static dev.contrail.operations.orphans.Reaps.reap;
import static dev.contrail.operations.orphans.Reaps.reaper;
import static dev.contrail.operations.orphans.Reaps.reason;
import static dev.contrail.operations.orphans.Reaps.status;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.event.Status;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.operations.burial.Burial;
import dev.contrail.operations.burial.Corpse;
import dev.contrail.operations.lease.LeaderLease;
import dev.contrail.operations.orphans.ReapPlan.Fate;
import dev.contrail.operations.stranded.Quay;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Message;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.stranded.Quay#servers")
class ReaperTest {
  private final NatsServerBinary binary;

  ReaperTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @Test
  void what_nobody_claims_becomes_dead_letters_and_the_rest_stays() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("a", -1, "a");
      quay.publish("a", 3);
      quay.publish("b", 200);

      ReapReport report = reap(quay, Fate.DEAD_LETTER, Optional.empty());
      assertThat(report.reaped()).isEqualTo(200);
      assertThat(report.left()).isZero();
      assertThat(report.slipped()).isEmpty();
      assertThat(quay.stored()).isEqualTo(3);
      assertThat(letters(quay)).hasSize(200).allMatch(it -> it.consumer().equals("_orphan"));
      assertThat(reason(quay, letters(quay).get(0))).isEqualTo(Reason.ORPHANED);
      assertThat(reap(quay, Fate.DEAD_LETTER, Optional.empty()).reaped()).isZero();
    }
  }

  @Test
  void what_a_consumer_gave_up_on_becomes_its_dead_letters() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.Interest)) {
      quay.durable("patient", -1);
      quay.durable("strict", 2);
      quay.publish("x", 3);
      quay.ackAll("patient");
      quay.giveUp("strict");

      assertThat(reap(quay, Fate.DEAD_LETTER, Optional.empty()).reaped()).isEqualTo(3);
      assertThat(quay.stored()).isZero();
      assertThat(letters(quay)).hasSize(3).allMatch(it -> it.consumer().equals("strict"));
      assertThat(reason(quay, letters(quay).get(0))).isEqualTo(Reason.EXHAUSTED);
    }
  }

  @Test
  void what_was_never_delivered_is_not_reaped_as_exhausted() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("a", 3, "a");
      quay.publish("b", 5);
      quay.publish("a", 1);
      quay.ackAll("a");
      quay.durable("a", 3, ">");

      assertThat(Reaps.reap(quay, Fate.DEAD_LETTER, Optional.empty()).reaped()).isZero();
      assertThat(quay.stored()).isEqualTo(5);
      assertThat(Reaps.letters(quay)).isEmpty();
    }
  }

  /** Servers store such a subject as it is, and take it for a filter when they are asked for it. */
  @ParameterizedTest
  @ValueSource(strings = {"*", ">"})
  void a_subject_that_reads_as_a_filter_is_reaped_without_those_that_it_would_take(String odd)
      throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("billing", -1, "a");
      quay.publish("a", 2);
      quay.connection.publish(quay.subject(odd), "odd".getBytes(UTF_8));
      quay.connection.flush(Quay.SOON);
      quay.publish("a", 3);
      Message running = quay.take("billing", 1).get(0);

      ReapReport report = reap(quay, Fate.DELETE, Optional.empty());

      assertThat(report.reaped()).isEqualTo(1);
      assertThat(quay.server.subjects(quay.stream, ">")).isEqualTo(Map.of(quay.subject("a"), 5L));
      assertThat(letters(quay)).singleElement().matches(it -> it.sequence() == 3);
      running.ackSync(Quay.SOON);
      assertThat(quay.info("billing").getNumPending()).isEqualTo(4);
    }
  }

  @Test
  void few_large_messages_are_in_memory_at_once() throws Exception {
    int large = 900_000;
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      prepare(quay);
      for (int i = 0; i < 12; i++) {
        quay.connection.jetStream().publish(quay.subject("b"), new byte[large]);
      }
      AtomicLong held = new AtomicLong();
      AtomicLong most = new AtomicLong();
      ReapPort counting =
          new ForwardingReapPort(real(quay)) {
            @Override
            public CompletableFuture<Burial.Result> bury(Corpse corpse) {
              most.accumulateAndGet(held.addAndGet(large), Math::max);
              return super.bury(corpse);
            }

            @Override
            public CompletableFuture<Boolean> delete(String stream, long sequence) {
              held.addAndGet(-large);
              return super.delete(stream, sequence);
            }
          };

      assertThat(reap(quay, counting).reaped()).isEqualTo(12);
      assertThat(quay.stored()).isZero();
      assertThat(most.get()).isLessThan(6_000_000);
    }
  }

  @Test
  void a_dry_run_counts_and_touches_nothing() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("a", -1, "a");
      quay.publish("b", 5);
      ReapPlan plan = plan(quay, Duration.ZERO, Fate.DEAD_LETTER, Optional.empty(), false);
      assertThat(reaper(quay).reap(plan, () -> false, (done, of) -> {}).reaped()).isEqualTo(5);
      assertThat(quay.stored()).isEqualTo(5);
      assertThat(quay.server.stream(quay.names.deadLetterStream())).isEmpty();
    }
  }

  @Test
  void a_stream_that_allows_no_deletions_is_left_alone_without_a_dead_letter() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.management.updateStream(
          StreamConfiguration.builder(quay.management.getStreamInfo(quay.stream).getConfiguration())
              .denyDelete(true)
              .build());
      quay.publish("b", 5);
      ReapReport report = reap(quay, Fate.DEAD_LETTER, Optional.empty());
      assertThat(report.reaped()).isZero();
      assertThat(report.left()).isEqualTo(5);
      assertThat(letters(quay)).isEmpty();
      assertThat(quay.stored()).isEqualTo(5);
    }
  }

  @Test
  void young_messages_are_left_alone() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.publish("b", 5);
      ReapPlan plan = plan(quay, Duration.ofHours(1), Fate.DEAD_LETTER, Optional.empty(), true);
      ReapReport report = reaper(quay).reap(plan, () -> false, (done, of) -> {});
      assertThat(report.reaped()).isZero();
      assertThat(report.young()).isEqualTo(5);
      assertThat(quay.stored()).isEqualTo(5);
    }
  }

  @Test
  void a_durable_stopped_for_a_deployment_keeps_all_it_may_still_want() throws Exception {
    for (RetentionPolicy retention : List.of(RetentionPolicy.WorkQueue, RetentionPolicy.Interest)) {
      try (Quay quay = Quay.on(binary, retention)) {
        quay.durable("stopped", 2);
        quay.publish("x", 6);
        // Two were given to it and not acked, one of these was given back for the last time.
        List<Message> taken = quay.take("stopped", 2);
        taken.get(0).nak();
        quay.connection.flush(Quay.SOON);

        assertThat(reap(quay, Fate.DEAD_LETTER, Optional.empty()).reaped()).isZero();
        assertThat(reap(quay, Fate.DELETE, Optional.empty()).reaped()).isZero();
        assertThat(quay.stored()).isEqualTo(6);
        assertThat(quay.server.subjects(quay.names.deadLetterStream(), ">")).isEmpty();
      }
    }
  }

  @Test
  void a_consumer_made_between_the_scan_and_the_first_act_keeps_its_messages() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.publish("b", 5);
      prepare(quay);
      ReapReport report =
          reap(
              quay,
              new Before(real(quay)) {
                @Override
                void firstLook() throws Exception {
                  quay.durable("late", -1, "b");
                }
              });
      assertThat(report.reaped()).isZero();
      assertThat(report.left()).isEqualTo(5);
      assertThat(report.lines().get(0).left().keySet())
          .singleElement()
          .asString()
          .contains("late claims");
      assertThat(quay.stored()).isEqualTo(5);
      assertThat(quay.server.subjects(quay.names.deadLetterStream(), ">")).isEmpty();
    }
  }

  @Test
  void a_consumer_made_after_the_evidence_keeps_its_messages_and_their_letters_are_closed()
      throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.publish("b", 5);
      prepare(quay);
      ReapReport report =
          reap(
              quay,
              new Before(real(quay)) {
                @Override
                void secondLook() throws Exception {
                  quay.durable("late", -1, "b");
                }
              });
      assertThat(report.reaped()).isZero();
      assertThat(report.left()).isEqualTo(5);
      assertThat(quay.stored()).isEqualTo(5);
      assertThat(letters(quay)).hasSize(5).allMatch(it -> status(quay, it) == Status.DISCARDED);

      // Orphans once more, they are open when they are taken away.
      quay.management.deleteConsumer(quay.stream, "late");
      assertThat(reap(quay, Fate.DEAD_LETTER, Optional.empty()).reaped()).isEqualTo(5);
      assertThat(letters(quay)).hasSize(5).allMatch(it -> status(quay, it) == Status.OPEN);
    }
  }

  @Test
  void a_consumer_that_slips_in_between_the_last_look_and_the_deletion_is_told_of()
      throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.publish("b", 5);
      prepare(quay);
      ReapReport report =
          reap(
              quay,
              new Before(real(quay)) {
                @Override
                void firstDeletion() throws Exception {
                  quay.durable("late", -1, "b");
                }
              });
      assertThat(report.reaped()).isEqualTo(5);
      assertThat(report.slipped())
          .containsExactly(new ReapReport.Slipped(quay.stream, quay.subject("b"), "late", 1, 5, 5));
      assertThat(letters(quay)).hasSize(5).allMatch(it -> status(quay, it) == Status.OPEN);
    }
  }

  @Test
  void a_look_that_is_more_than_a_second_old_allows_no_deletion() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.publish("b", 5);
      prepare(quay);
      AtomicLong time = new AtomicLong();
      ReapPort slow =
          new Before(real(quay)) {
            @Override
            void everyLook() {
              time.addAndGet(Duration.ofMillis(1_001).toNanos());
            }
          };
      ReapPlan plan = plan(quay, Duration.ZERO, Fate.DEAD_LETTER, Optional.empty(), true);
      ReapReport report =
          reaper(quay).reap(plan, slow, time::get, () -> true, () -> false, (done, of) -> {});
      assertThat(report.reaped()).isZero();
      assertThat(report.left()).isEqualTo(5);
      assertThat(quay.stored()).isEqualTo(5);
    }
  }

  @Test
  void what_is_handed_over_is_there_once_and_its_original_is_gone() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("a", -1, "a");
      quay.publish("b", 4);
      ReapReport report = reap(quay, Fate.HAND_OVER, Optional.of(quay.subject("a")));
      assertThat(report.reaped()).isEqualTo(4);
      assertThat(quay.server.subjects(quay.stream, ">"))
          .containsExactly(Map.entry(quay.subject("a"), 4L));
      assertThat(letters(quay)).hasSize(4).noneMatch(it -> status(quay, it) == Status.OPEN);
      assertThat(quay.take("a", 4))
          .extracting(it -> new String(it.getData(), UTF_8))
          .containsExactlyInAnyOrder("message 0", "message 1", "message 2", "message 3");
    }
  }

  @Test
  void nothing_is_handed_over_to_a_subject_that_nobody_claims() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("a", -1, "a");
      quay.publish("b", 4);
      assertThatThrownBy(() -> reap(quay, Fate.HAND_OVER, Optional.of(quay.subject("c"))))
          .isInstanceOf(ContrailException.class)
          .hasMessageContaining("no consumer of stream " + quay.stream + " claims it");
      assertThatThrownBy(() -> reap(quay, Fate.HAND_OVER, Optional.of("nowhere.at.all")))
          .hasMessageContaining("no stream takes that subject");
      assertThat(quay.stored()).isEqualTo(4);
    }
  }

  @Test
  void what_is_deleted_leaves_a_discarded_dead_letter() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.publish("b", 2);
      assertThat(reap(quay, Fate.DELETE, Optional.empty()).reaped()).isEqualTo(2);
      assertThat(quay.stored()).isZero();
      assertThat(letters(quay)).hasSize(2).allMatch(it -> status(quay, it) == Status.DISCARDED);
    }
  }

  @Test
  void a_second_reaper_does_not_start_and_would_do_no_harm() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.publish("b", 300);
      prepare(quay);
      try (LeaderLease lease =
          LeaderLease.of(quay.connection, Quay.OPTIONS, quay.names, Reaper.TASK, "ann@host")) {
        assertThat(lease.tryTake()).isTrue();
        assertThatThrownBy(() -> reap(quay, Fate.DEAD_LETTER, Optional.empty()))
            .hasMessage("Another reaper is at work: ann@host.");
      }
      // Both believe that they lead.
      CompletableFuture<ReapReport> first = leading(quay);
      CompletableFuture<ReapReport> second = leading(quay);
      assertThat(first.join().reaped() + second.join().reaped()).isEqualTo(300);
      assertThat(quay.stored()).isZero();
      assertThat(letters(quay)).hasSize(300);
    }
  }

  private static CompletableFuture<ReapReport> leading(Quay quay) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return reap(quay, real(quay));
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }
}
