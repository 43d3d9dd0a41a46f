package dev.contrail.operations.audit;

import static dev.contrail.operations.audit.AuditPlace.CONSUMER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.ledger.SequenceSet;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.PurgeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.RetentionPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.audit.AuditPlace#servers")
class AuditTest {
  private final NatsServerBinary binary;
  private Optional<AuditPlace> opened = Optional.empty();

  AuditTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  private AuditPlace place(RetentionPolicy retention) throws Exception {
    AuditPlace place = AuditPlace.on(binary, retention);
    opened = Optional.of(place);
    return place;
  }

  @AfterEach
  void close() {
    opened.ifPresent(AuditPlace::close);
  }

  private static void durable(AuditPlace place, String name, String filter) throws Exception {
    place.management.addOrUpdateConsumer(
        place.stream,
        ConsumerConfiguration.builder()
            .durable(name)
            .ackWait(Duration.ofSeconds(30))
            .filterSubject(place.stream + "." + filter)
            .build());
  }

  @Test
  void what_was_processed_died_and_waits_is_told_apart() throws Exception {
    for (RetentionPolicy retention : RetentionPolicy.values()) {
      try (AuditPlace place = AuditPlace.on(binary, retention)) {
        place.work(CONSUMER, 0);
        place.publish(20);
        place.publish("new", 5, AuditPlace.POISON);
        place.work(CONSUMER, 25);
        place.publish(3);

        AuditReport report = place.audit();

        assertThat(report.from()).isEqualTo(1);
        assertThat(report.to()).isEqualTo(28);
        AuditReport.OfConsumer found = report.consumers().get(0);
        assertThat(found.fates().get(Fate.PROCESSED))
            .as("%s", retention)
            .isEqualTo(SequenceSet.of(1, 20));
        assertThat(found.fates().get(Fate.DEAD)).isEqualTo(SequenceSet.of(21, 25));
        assertThat(found.fates().get(Fate.WAITING)).isEqualTo(SequenceSet.of(26, 28));
        assertThat(found.gaps()).isEmpty();
      }
    }
  }

  @Test
  void what_is_delivered_and_not_acknowledged_is_in_flight() throws Exception {
    for (RetentionPolicy retention : RetentionPolicy.values()) {
      try (AuditPlace place = AuditPlace.on(binary, retention)) {
        durable(place, "foreign", ">");
        place.publish(10);
        var pull =
            place
                .connection
                .jetStream()
                .subscribe(null, PullSubscribeOptions.bind(place.stream, "foreign"));
        assertThat(pull.fetch(4, Duration.ofSeconds(5))).hasSize(4);

        AuditReport.OfConsumer found = place.auditOf("foreign");

        assertThat(found.fates().get(Fate.IN_FLIGHT)).isEqualTo(SequenceSet.of(1, 4));
        assertThat(found.fates().get(Fate.WAITING)).isEqualTo(SequenceSet.of(5, 10));
      }
    }
  }

  @Test
  void a_purge_is_found() throws Exception {
    for (RetentionPolicy retention : RetentionPolicy.values()) {
      try (AuditPlace place = AuditPlace.on(binary, retention)) {
        place.work(CONSUMER, 0);
        place.publish(50);
        place.work(CONSUMER, 50);
        place.publish(30);
        place.management.purgeStream(place.stream);
        place.publish(1);

        AuditReport.OfConsumer found = place.auditOf(CONSUMER);

        assertThat(found.count(Fate.PROCESSED)).as("%s", retention).isEqualTo(50);
        assertThat(found.count(Fate.WAITING)).isEqualTo(1);
        assertThat(found.gaps())
            .extracting(Gap::from, Gap::to, Gap::cause)
            .containsExactly(tuple(51L, 80L, Cause.PURGED));
      }
    }
  }

  @Test
  void deletions_of_single_messages_are_found() throws Exception {
    AuditPlace place = place(RetentionPolicy.Limits);
    place.work(CONSUMER, 0);
    place.publish(10);
    place.management.deleteMessage(place.stream, 4, false);
    place.management.deleteMessage(place.stream, 7, false);
    place.management.deleteMessage(place.stream, 8, false);
    place.work(CONSUMER, 7);

    assertThat(place.auditOf(CONSUMER).gaps())
        .extracting(Gap::from, Gap::to, Gap::cause)
        .containsExactly(tuple(4L, 4L, Cause.DELETED), tuple(7L, 8L, Cause.DELETED));
  }

  @Test
  void what_the_stream_let_expire_is_found() throws Exception {
    AuditPlace place =
        AuditPlace.on(binary, RetentionPolicy.Limits, how -> how.maxAge(Duration.ofSeconds(2)));
    opened = Optional.of(place);
    place.work(CONSUMER, 0);
    place.publish(5);
    place.work(CONSUMER, 5);
    place.publish(7);
    await()
        .atMost(AuditPlace.SOON)
        .until(
            () -> place.management.getStreamInfo(place.stream).getStreamState().getMsgCount() == 0);

    AuditReport.OfConsumer found = place.auditOf(CONSUMER);

    assertThat(found.count(Fate.PROCESSED)).isEqualTo(5);
    assertThat(found.gaps())
        .extracting(Gap::from, Gap::to, Gap::cause)
        .containsExactly(tuple(6L, 12L, Cause.EXPIRED));
  }

  @Test
  void what_a_full_stream_let_go_is_found() throws Exception {
    AuditPlace place = AuditPlace.on(binary, RetentionPolicy.Limits, how -> how.maxMessages(10));
    opened = Optional.of(place);
    place.work(CONSUMER, 0);
    place.publish(5);
    place.work(CONSUMER, 5);
    place.publish(25);

    AuditReport.OfConsumer found = place.auditOf(CONSUMER);

    assertThat(found.count(Fate.WAITING)).isEqualTo(10);
    assertThat(found.gaps())
        .extracting(Gap::from, Gap::to, Gap::cause)
        .containsExactly(tuple(6L, 20L, Cause.OVER_LIMIT));
  }

  @Test
  void the_share_of_a_client_without_a_ledger_is_found() throws Exception {
    for (RetentionPolicy retention : RetentionPolicy.values()) {
      try (AuditPlace place = AuditPlace.on(binary, retention)) {
        place.work(CONSUMER, 0);
        place.publish(40);
        place.work(CONSUMER, 40);
        place.publish(15);
        place.takeForeign(CONSUMER, 15);
        place.publish(40);
        place.work(CONSUMER, 40);

        AuditReport.OfConsumer found = place.auditOf(CONSUMER);

        assertThat(found.count(Fate.PROCESSED)).as("%s", retention).isEqualTo(80);
        assertThat(found.gaps())
            .as("%s", retention)
            .extracting(Gap::from, Gap::to, Gap::cause)
            .containsExactly(tuple(41L, 55L, Cause.NO_LEDGER));
      }
    }
  }

  /** Servers up to 2.9.14 pass over messages of other subjects when one subject is purged. */
  @Test
  void what_the_server_passed_over_is_found() throws Exception {
    AuditPlace place = place(RetentionPolicy.Limits);
    place.work(CONSUMER, 0);
    place.publish("kept", 3, "order");
    place.publish("purged", 2, "order");
    place.management.purgeStream(place.stream, PurgeOptions.subject(place.stream + ".purged"));
    boolean passesOver =
        place.management.getConsumerInfo(place.stream, CONSUMER).getNumPending() == 0;
    place.publish("kept", 1, "order");
    place.work(CONSUMER, passesOver ? 1 : 4);

    AuditReport.OfConsumer found = place.auditOf(CONSUMER);

    assertThat(passesOver)
        .as("passed over by %s", binary.version())
        .isEqualTo(!place.connection.getServerInfo().isSameOrNewerThanVersion("2.9.15"));
    assertThat(found.gaps())
        .extracting(Gap::from, Gap::to, Gap::cause)
        .containsExactlyElementsOf(
            passesOver
                ? List.of(tuple(1L, 3L, Cause.PASSED_OVER), tuple(4L, 5L, Cause.DELETED))
                : List.of(tuple(4L, 5L, Cause.DELETED)));
  }

  @Test
  void nothing_is_called_processed_of_a_consumer_without_a_ledger() throws Exception {
    for (RetentionPolicy retention : RetentionPolicy.values()) {
      try (AuditPlace place = AuditPlace.on(binary, retention)) {
        durable(place, "foreign", ">");
        place.publish(30);
        place.takeForeign("foreign", 20);

        AuditReport.OfConsumer found = place.auditOf("foreign");

        assertThat(found.count(Fate.PROCESSED)).isZero();
        assertThat(found.count(Fate.WAITING)).as("%s", retention).isEqualTo(10);
        assertThat(found.gaps())
            .as("%s", retention)
            .extracting(Gap::from, Gap::to, Gap::cause)
            .containsExactly(tuple(1L, 20L, Cause.NO_LEDGER));
      }
    }
  }

  @Test
  void messages_of_other_subjects_are_not_addressed_while_they_are_there() throws Exception {
    AuditPlace place = place(RetentionPolicy.Limits);
    durable(place, CONSUMER, "paid");
    place.publish("paid", 5, "order");
    place.publish("sent", 5, "order");
    place.publish("paid", 5, "order");
    place.work(CONSUMER, 10);
    place.publish("sent", 2, "order");
    place.publish("paid", 1, "order");

    AuditReport.OfConsumer found = place.auditOf(CONSUMER);

    SequenceSet others = SequenceSet.of(6, 10);
    others.add(16, 17);
    assertThat(found.fates().get(Fate.NOT_ADDRESSED)).isEqualTo(others);
    assertThat(found.fates().get(Fate.WAITING)).isEqualTo(SequenceSet.of(18, 18));
    assertThat(found.gaps()).isEmpty();
  }

  @Test
  void what_another_consumer_of_a_workqueue_processed_was_not_addressed_to_this_one()
      throws Exception {
    AuditPlace place = place(RetentionPolicy.WorkQueue);
    durable(place, CONSUMER, "paid");
    durable(place, "shipping", "sent");
    place.publish("paid", 5, "order");
    place.publish("sent", 5, "order");
    place.work(CONSUMER, 5);
    place.work("shipping", 5);

    assertThat(place.auditOf(CONSUMER).count(Fate.NOT_ADDRESSED)).isEqualTo(5);
    assertThat(place.auditOf("shipping").count(Fate.NOT_ADDRESSED)).isEqualTo(5);
    assertThat(place.audit().count(Fate.UNACCOUNTED)).isZero();
  }

  @Test
  void what_no_consumer_of_a_workqueue_claims_is_orphaned() throws Exception {
    AuditPlace place = place(RetentionPolicy.WorkQueue);
    durable(place, CONSUMER, "paid");
    place.publish("paid", 2, "order");
    place.publish("lost", 3, "order");

    AuditReport report = place.audit();

    AuditReport.OfConsumer orphans =
        report.consumers().stream()
            .filter(it -> it.consumer().equals("_orphan"))
            .findFirst()
            .orElseThrow();
    assertThat(orphans.fates().get(Fate.ORPHANED)).isEqualTo(SequenceSet.of(3, 5));
    assertThat(report.count(Fate.UNACCOUNTED)).isZero();
    assertThat(place.management.getStreamInfo(place.stream).getStreamState().getMsgCount())
        .isEqualTo(5);
  }

  @Test
  void an_audit_takes_nothing_from_an_interest_stream() throws Exception {
    AuditPlace place = place(RetentionPolicy.Interest);
    durable(place, CONSUMER, "paid");
    durable(place, "gone", "lost");
    place.publish("paid", 2, "order");
    place.publish("lost", 3, "order");
    place.audit();
    place.audit();
    assertThat(place.management.getStreamInfo(place.stream).getStreamState().getMsgCount())
        .isEqualTo(5);
  }

  @Test
  void a_message_that_the_server_gave_up_on_is_orphaned_on_a_workqueue() throws Exception {
    AuditPlace place = place(RetentionPolicy.WorkQueue);
    place.management.addOrUpdateConsumer(
        place.stream,
        ConsumerConfiguration.builder()
            .durable("foreign")
            .ackWait(Duration.ofMillis(300))
            .maxDeliver(1)
            .build());
    place.publish(3);
    var pull =
        place
            .connection
            .jetStream()
            .subscribe(null, PullSubscribeOptions.bind(place.stream, "foreign"));
    assertThat(pull.fetch(3, Duration.ofSeconds(5))).hasSize(3);
    await()
        .atMost(AuditPlace.SOON)
        .until(
            () -> {
              pull.fetch(1, Duration.ofMillis(100));
              return place.management.getConsumerInfo(place.stream, "foreign").getNumAckPending()
                  == 0;
            });

    assertThat(place.auditOf("foreign").fates().get(Fate.ORPHANED)).isEqualTo(SequenceSet.of(1, 3));
  }

  @Test
  void what_was_published_before_a_consumer_that_begins_with_new_ones_is_not_addressed()
      throws Exception {
    AuditPlace place = place(RetentionPolicy.Limits);
    place.publish(10);
    // Of what was published in the very millisecond, nobody can tell.
    Instant last =
        place.management.getStreamInfo(place.stream).getStreamState().getLastTime().toInstant();
    await().until(() -> Instant.now().toEpochMilli() > last.toEpochMilli());
    place.management.addOrUpdateConsumer(
        place.stream,
        ConsumerConfiguration.builder().durable(CONSUMER).deliverPolicy(DeliverPolicy.New).build());
    place.publish(4);
    place.work(CONSUMER, 4);

    AuditReport.OfConsumer found = place.auditOf(CONSUMER);

    assertThat(found.fates().get(Fate.NOT_ADDRESSED)).isEqualTo(SequenceSet.of(1, 10));
    assertThat(found.fates().get(Fate.PROCESSED)).isEqualTo(SequenceSet.of(11, 14));
  }

  @Test
  void it_begins_where_it_is_asked_to() throws Exception {
    AuditPlace place = place(RetentionPolicy.Limits);
    place.work(CONSUMER, 0);
    place.publish(10);
    Instant then =
        place.management.getStreamInfo(place.stream).getStreamState().getLastTime().toInstant();
    await().until(() -> Instant.now().isAfter(then.plusMillis(50)));
    place.publish(5);

    AuditReport report =
        new Audits(place.connection, AuditPlace.OPTIONS, place.names)
            .audit(
                new AuditRequest(place.stream, List.of(), Optional.of(then.plusMillis(20))),
                Instant.now(),
                (done, of) -> {});

    assertThat(report.from()).isEqualTo(11);
    assertThat(report.messages()).isEqualTo(5);
  }

  @Test
  void an_unknown_stream_or_consumer_is_refused_with_a_sentence() throws Exception {
    AuditPlace place = place(RetentionPolicy.Limits);
    assertThatThrownBy(() -> place.audit("nobody"))
        .isInstanceOf(ContrailException.class)
        .hasMessageContaining("no consumer nobody");
  }
}
