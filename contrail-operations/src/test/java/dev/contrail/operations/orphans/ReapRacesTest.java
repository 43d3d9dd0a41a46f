package dev.contrail.operations.orphans;

import static dev.contrail.operations.orphans.Reaps.letters;
import static dev.contrail.operations.orphans.Reaps.plan;
import static dev.contrail.operations.orphans.Reaps.prepare;
import static dev.contrail.operations.orphans.Reaps.real;
import static dev.contrail.operations.orphans.Reaps.reap;
import static dev.contrail.operations.orphans.Reaps.reaper;
import static dev.contrail.operations.orphans.Reaps.status;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.operations.burial.Burial;
import dev.contrail.operations.burial.Corpse;
import dev.contrail.operations.orphans.ReapPlan.Fate;
import dev.contrail.operations.stranded.Quay;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Message;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.Source;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What others do between the steps of a reaper. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.stranded.Quay#servers")
class ReapRacesTest {
  private final NatsServerBinary binary;

  ReapRacesTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @Test
  void a_stream_made_again_after_the_evidence_keeps_its_new_messages() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.publish("b", 5);
      prepare(quay);
      ReapReport report =
          reap(
              quay,
              new Before(real(quay)) {
                @Override
                void secondLook() throws Exception {
                  quay.management.deleteStream(quay.stream);
                  quay.management.addStream(
                      StreamConfiguration.builder()
                          .name(quay.stream)
                          .subjects(quay.stream + ".>")
                          .retentionPolicy(RetentionPolicy.WorkQueue)
                          .build());
                  quay.connection.jetStream().publish(quay.subject("b"), "new".getBytes(UTF_8));
                }
              });
      assertThat(quay.stored()).isEqualTo(1);
      assertThat(report.reaped()).isZero();
      assertThat(report.left()).isEqualTo(1);
      assertThat(letters(quay)).hasSize(5).allMatch(it -> status(quay, it) == Status.OPEN);
    }
  }

  @Test
  void a_stream_that_begins_to_copy_after_the_scan_is_left_its_messages() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("a", 1, "a");
      quay.publish("a", 2);
      quay.giveUp("a");
      quay.publish("b", 5);
      prepare(quay);
      ReapReport report =
          reap(
              quay,
              new Before(real(quay)) {
                @Override
                void firstReaders() throws Exception {
                  quay.management.addStream(
                      StreamConfiguration.builder()
                          .name(quay.stream + "-copy")
                          .sources(Source.builder().name(quay.stream).build())
                          .build());
                }
              });
      assertThat(report.reaped()).isZero();
      // A copy that has come that far takes them from the workqueue.
      assertThat(report.lines().get(0).left().keySet())
          .singleElement()
          .asString()
          .contains(quay.stream + "-copy claims");
      assertThat(letters(quay)).isEmpty();
    }
  }

  @Test
  void a_consumer_made_again_between_the_last_look_and_the_deletion_is_told_of() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("strict", 1);
      quay.publish("x", 3);
      quay.giveUp("strict");
      prepare(quay);
      ReapReport report =
          reap(
              quay,
              new Before(real(quay)) {
                @Override
                void firstDeletion() throws Exception {
                  quay.management.deleteConsumer(quay.stream, "strict");
                  quay.durable("strict", 1);
                }
              });
      assertThat(report.reaped()).isEqualTo(3);
      assertThat(report.slipped())
          .containsExactly(
              new ReapReport.Slipped(quay.stream, quay.subject("x"), "strict", 1, 3, 3));
    }
  }

  @Test
  void what_was_to_be_deleted_and_stayed_is_open_when_it_is_dead_lettered_later() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.publish("b", 3);
      prepare(quay);
      ReapPlan deleting = plan(quay, Duration.ZERO, Fate.DELETE, Optional.empty(), true);
      ReapPort port =
          new Before(reaper(quay).port(deleting)) {
            @Override
            void secondLook() throws Exception {
              quay.durable("late", -1, "b");
            }
          };
      reaper(quay)
          .reap(deleting, port, System::nanoTime, () -> true, () -> false, (done, of) -> {});
      assertThat(letters(quay)).hasSize(3).allMatch(it -> status(quay, it) == Status.DISCARDED);
      quay.management.deleteConsumer(quay.stream, "late");

      assertThat(reap(quay, Fate.DEAD_LETTER, Optional.empty()).reaped()).isEqualTo(3);
      assertThat(letters(quay)).hasSize(3).allMatch(it -> status(quay, it) == Status.OPEN);
    }
  }

  @Test
  void what_was_done_is_told_when_the_server_refuses_to_go_on() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.publish("b", 3);
      quay.publish("c", 3);
      prepare(quay);
      ReapReport report =
          reap(
              quay,
              new ForwardingReapPort(real(quay)) {
                @Override
                public CompletableFuture<Burial.Result> bury(Corpse corpse) {
                  return corpse.sequence() > 3
                      ? CompletableFuture.failedFuture(new ContrailException("It is full."))
                      : super.bury(corpse);
                }
              });
      assertThat(report.reaped()).isEqualTo(3);
      assertThat(report.stopped()).isEqualTo("It is full");
      assertThat(quay.stored()).isEqualTo(3);
    }
  }

  @Test
  void what_a_stopped_durable_may_want_and_what_is_suspected_is_left_and_told_of()
      throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.Interest)) {
      quay.durable("stopped", -1, "a");
      quay.durable("busy", 1, "b");
      quay.publish("a", 4);
      quay.publish("b", 2);
      quay.giveUp("busy");
      quay.publish("b", 1);
      List<Message> running = quay.take("busy", 1);
      assertThat(running).hasSize(1);

      ReapReport report = reap(quay, Fate.DEAD_LETTER, Optional.empty());

      assertThat(report.reaped()).isZero();
      assertThat(report.held())
          .extracting(Orphans::kind, Orphans::count, it -> it.consumers().get(0))
          .containsExactlyInAnyOrder(
              tuple(OrphanClass.FORGOTTEN, 4L, "stopped"),
              tuple(OrphanClass.FORGOTTEN, 1L, "busy"),
              tuple(OrphanClass.SUSPECTED, 2L, "busy"));
      // Young as they are, nobody would have taken them.
      ReapPlan old = plan(quay, Duration.ofHours(1), Fate.DEAD_LETTER, Optional.empty(), false);
      assertThat(reaper(quay).reap(old, () -> false, (done, of) -> {}).held())
          .extracting(Orphans::kind)
          .containsExactly(OrphanClass.SUSPECTED);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", ">"})
  void a_subject_that_reads_like_a_filter_is_not_one(String odd) throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("busy", -1, "a");
      quay.publish("a", 5);
      List<Message> running = quay.take("busy", 1);
      assertThat(running).hasSize(1);
      quay.publish(odd, 1);

      assertThat(reap(quay, Fate.DEAD_LETTER, Optional.empty()).reaped()).isEqualTo(1);

      assertThat(quay.stored()).as("those that are claimed").isEqualTo(5);
      assertThat(letters(quay)).extracting(DeadLetterId::sequence).containsExactly(6L);
    }
  }

  @Test
  void the_dead_letter_of_a_stream_of_that_name_that_is_gone_accuses_nobody() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.Interest)) {
      prepare(quay);
      String gone = new DeadLetterId(quay.stream, "one", "gone", 1).subject(quay.names.prefix());
      quay.connection.jetStream().publish(gone, new byte[0]);
      quay.durable("one", 1);
      quay.durable("two", 1);
      quay.publish("x", 1);
      quay.giveUp("one");
      quay.giveUp("two");

      assertThat(reap(quay, Fate.DEAD_LETTER, Optional.empty()).reaped()).isEqualTo(1);
      assertThat(letters(quay))
          .filteredOn(it -> !it.incarnation().equals("gone"))
          .singleElement()
          .extracting(DeadLetterId::consumer)
          .isEqualTo(DeadLetterId.ORPHAN);
    }
  }
}
