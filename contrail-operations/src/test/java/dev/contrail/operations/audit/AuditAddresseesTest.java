package dev.contrail.operations.audit;

import static dev.contrail.operations.audit.AuditPlace.CONSUMER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.ledger.SequenceSet;
import dev.contrail.operations.Ledgers;
import dev.contrail.operations.TestServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.PurgeOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.Source;
import io.nats.client.api.StreamConfiguration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Which messages were for a consumer at all: it is asked for no others. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.audit.AuditPlace#servers")
class AuditAddresseesTest {
  private static final String LATE = "late";

  private final NatsServerBinary binary;

  AuditAddresseesTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  private static void durable(AuditPlace place, String name, DeliverPolicy begin, String filter)
      throws Exception {
    place.management.addOrUpdateConsumer(
        place.stream,
        ConsumerConfiguration.builder()
            .durable(name)
            .deliverPolicy(begin)
            .filterSubject(place.stream + "." + filter)
            .build());
  }

  @Test
  void what_was_gone_when_a_consumer_was_made_was_not_for_it() throws Exception {
    for (RetentionPolicy retention : List.of(RetentionPolicy.Interest, RetentionPolicy.Limits)) {
      try (AuditPlace place = AuditPlace.on(binary, retention)) {
        place.work(CONSUMER, 0);
        place.publish(20);
        place.work(CONSUMER, 20);
        place.management.purgeStream(place.stream);
        durable(place, LATE, DeliverPolicy.All, ">");
        AuditReport.OfConsumer idle = place.auditOf(LATE);
        place.publish(5);
        place.work(LATE, 5);

        AuditReport.OfConsumer found = place.auditOf(LATE);

        assertThat(idle.fates().get(Fate.NOT_ADDRESSED))
            .as("%s", retention)
            .isEqualTo(SequenceSet.of(1, 20));
        assertThat(found.fates().get(Fate.NOT_ADDRESSED))
            .as("%s", retention)
            .isEqualTo(SequenceSet.of(1, 20));
        assertThat(found.fates().get(Fate.PROCESSED)).isEqualTo(SequenceSet.of(21, 25));
        assertThat(found.gaps()).isEmpty();
      }
    }
  }

  @Test
  void what_was_stored_when_a_consumer_was_made_was_for_it_and_is_missed() throws Exception {
    try (AuditPlace place = AuditPlace.on(binary, RetentionPolicy.Limits)) {
      place.work(CONSUMER, 0);
      place.publish(20);
      place.work(CONSUMER, 20);
      place.management.purgeStream(place.stream, PurgeOptions.builder().sequence(11).build());
      durable(place, LATE, DeliverPolicy.All, ">");
      place.management.deleteMessage(place.stream, 15, false);
      place.publish(5);
      place.work(LATE, 14);

      AuditReport.OfConsumer found = place.auditOf(LATE);

      assertThat(found.count(Fate.PROCESSED)).isEqualTo(14);
      assertThat(found.gaps())
          .extracting(Gap::from, Gap::to, Gap::cause)
          .contains(tuple(15L, 15L, Cause.DELETED));
      if (place.connection.getServerInfo().isSameOrNewerThanVersion("2.11.0")) {
        assertThat(found.fates().get(Fate.NOT_ADDRESSED)).isEqualTo(SequenceSet.of(1, 10));
        assertThat(found.count(Fate.UNACCOUNTED)).isEqualTo(1);
      }
    }
  }

  @Test
  void what_a_consumer_of_a_workqueue_processed_was_not_for_its_successor() throws Exception {
    try (AuditPlace place = AuditPlace.on(binary, RetentionPolicy.WorkQueue)) {
      place.publish(10);
      place.work("predecessor", 10);
      place.management.deleteConsumer(place.stream, "predecessor");
      place.publish(5);
      place.work(CONSUMER, 5);

      AuditReport.OfConsumer found = place.auditOf(CONSUMER);

      assertThat(found.fates().get(Fate.NOT_ADDRESSED)).isEqualTo(SequenceSet.of(1, 10));
      assertThat(found.fates().get(Fate.PROCESSED)).isEqualTo(SequenceSet.of(11, 15));
    }
  }

  @Test
  void the_first_that_a_consumer_of_new_messages_completed_was_for_it_also_when_that_was_forgotten()
      throws Exception {
    try (TestServer own = TestServer.start(binary);
        AuditPlace place = AuditPlace.at(own.server.url(), "ORDERS", "a")) {
      own.addStream("ORDERS", RetentionPolicy.Limits);
      place.publish(2);
      durable(place, CONSUMER, DeliverPolicy.New, ">");
      place.publish(3);
      place.work(CONSUMER, 3);
      // From now on old servers tell of another time at which it was made.
      own.restart();
      TestServer.awaitServer(place.management);
      place.publish(1);
      place.work(CONSUMER, 1);
      Ledgers ledgers = new Ledgers(place.connection, AuditPlace.OPTIONS, place.names);
      assertThat(ledgers.forget(ledgers.of("ORDERS", CONSUMER).get(0), 3, 3)).isEqualTo(1);

      AuditReport.OfConsumer found = place.auditOf(CONSUMER);

      assertThat(found.fates().get(Fate.NOT_ADDRESSED)).isEqualTo(SequenceSet.of(1, 2));
      assertThat(found.fates().get(Fate.UNACCOUNTED)).isEqualTo(SequenceSet.of(3, 3));
    }
  }

  @Test
  void of_older_messages_only_the_last_of_each_subject_are_for_one_that_begins_with_those()
      throws Exception {
    try (AuditPlace place = AuditPlace.on(binary, RetentionPolicy.Limits)) {
      place.publish("a", 1, "order");
      place.publish("b", 9, "order");
      durable(place, CONSUMER, DeliverPolicy.LastPerSubject, ">");
      place.publish("b", 2, "order");
      place.work(CONSUMER, 4);

      AuditReport.OfConsumer found = place.auditOf(CONSUMER);

      assertThat(found.count(Fate.PROCESSED)).isEqualTo(4);
      assertThat(found.fates().get(Fate.NOT_ADDRESSED)).isEqualTo(SequenceSet.of(2, 9));
      assertThat(found.gaps()).isEmpty();
    }
  }

  /** Whoever publishes and makes a consumer at once does both in one millisecond. */
  @Test
  void what_was_published_just_before_a_consumer_of_new_messages_is_not_for_it() throws Exception {
    try (AuditPlace place = AuditPlace.on(binary, RetentionPolicy.Limits)) {
      for (int i = 1; i <= 40; i++) {
        place.connection.jetStream().publish(place.stream + ".new", new byte[0]);
        durable(place, "c" + i, DeliverPolicy.New, ">");
        place.connection.jetStream().publish(place.stream + ".new", new byte[0]);
      }
      AuditReport report = place.audit();

      for (int i = 1; i <= 40; i++) {
        String name = "c" + i;
        assertThat(report.consumers())
            .filteredOn(it -> it.consumer().equals(name))
            .singleElement()
            .extracting(it -> it.fates().get(Fate.NOT_ADDRESSED))
            .as(name)
            .isEqualTo(SequenceSet.of(1, 2L * i - 1));
      }
    }
  }

  @Test
  void subjects_that_a_stream_copies_from_elsewhere_are_looked_at_too() throws Exception {
    try (AuditPlace place = AuditPlace.on(binary, RetentionPolicy.Limits)) {
      String elsewhere = place.stream + "-elsewhere";
      place.management.addStream(
          StreamConfiguration.builder().name(elsewhere).subjects(elsewhere + ".>").build());
      place.management.updateStream(
          StreamConfiguration.builder()
              .name(place.stream)
              .subjects(place.stream + ".>")
              .sources(Source.builder().name(elsewhere).build())
              .build());
      durable(place, CONSUMER, DeliverPolicy.All, ">");
      for (int i = 0; i < 3; i++) {
        place.connection.jetStream().publish(elsewhere + ".new", new byte[0]);
      }
      await()
          .atMost(AuditPlace.SOON)
          .until(
              () ->
                  place.management.getStreamInfo(place.stream).getStreamState().getMsgCount() == 3);
      place.publish(2);
      place.work(CONSUMER, 2);

      AuditReport.OfConsumer found = place.auditOf(CONSUMER);

      assertThat(found.fates().get(Fate.NOT_ADDRESSED)).isEqualTo(SequenceSet.of(1, 3));
      assertThat(found.gaps()).isEmpty();
    }
  }

  @Test
  void a_stream_that_is_made_again_meanwhile_is_another() throws Exception {
    try (AuditPlace place = AuditPlace.on(binary, RetentionPolicy.Limits)) {
      durable(place, CONSUMER, DeliverPolicy.All, "paid");
      place.publish("paid", 100, "order");
      place.publish("sent", 100, "order");
      // What nobody accounts for is looked at twice.
      place.takeForeign(CONSUMER, 50);
      AtomicBoolean again = new AtomicBoolean();
      Audits audits = new Audits(place.connection, AuditPlace.OPTIONS, place.names);
      AuditRequest request = new AuditRequest(place.stream, List.of(), Optional.empty());

      assertThatThrownBy(
              () ->
                  audits.audit(
                      request,
                      Instant.now(),
                      (done, of) -> {
                        if (again.compareAndSet(false, true)) {
                          makeAgain(place);
                        }
                      }))
          .isInstanceOf(ContrailException.class)
          .hasMessageContaining("deleted");
      assertThat(again).isTrue();
    }
  }

  private static void makeAgain(AuditPlace place) {
    try {
      place.management.deleteStream(place.stream);
      place.management.addStream(
          StreamConfiguration.builder().name(place.stream).subjects(place.stream + ".>").build());
      place.publish(300);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
