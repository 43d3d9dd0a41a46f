package dev.contrail.operations.orphans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.stranded.Quay;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamSubscription;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.Source;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.stranded.Quay#servers")
class OrphanScanTest {
  private static final Duration DAY = Duration.ofDays(1);

  private final NatsServerBinary binary;

  OrphanScanTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @Test
  void subjects_that_no_filter_takes_are_unclaimed() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("a", -1, "a.*");
      quay.publish("a.x", 2);
      quay.publish("a.x.y", 3);
      quay.publish("b", 1);

      assertThat(scan(quay, DAY, Instant.now()))
          .extracting(Orphans::kind, it -> it.subjects().get(0), Orphans::count)
          .containsExactly(
              tuple(OrphanClass.UNCLAIMED, quay.subject("a.x.y"), 3L),
              tuple(OrphanClass.UNCLAIMED, quay.subject("b"), 1L));
      assertThat(scan(quay, DAY, Instant.now()))
          .allMatch(it -> it.bytesEstimated() && it.bytes() > 0 && it.oldest().isPresent());
    }
  }

  @Test
  void the_age_of_one_whose_subject_reads_as_a_filter_is_not_that_of_another() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("a", -1, "a");
      quay.publish("a", 1);
      quay.connection.publish(quay.subject(">"), new byte[0]);
      quay.connection.flush(Quay.SOON);

      assertThat(scan(quay, DAY, Instant.now()))
          .singleElement()
          .satisfies(
              it -> {
                assertThat(it.subjects()).containsExactly(quay.subject(">"));
                assertThat(it.oldest()).isEmpty();
              });
    }
  }

  @Test
  void a_stream_without_a_consumer_holds_orphans_alone_whose_bytes_are_known() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.publish("b", 3);
      long bytes = quay.management.getStreamInfo(quay.stream).getStreamState().getByteCount();
      assertThat(scan(quay, DAY, Instant.now()))
          .singleElement()
          .satisfies(
              it -> {
                assertThat(it.bytes()).isEqualTo(bytes);
                assertThat(it.bytesEstimated()).isFalse();
                assertThat(it.why()).isEqualTo("the stream has no consumer");
              });
    }
  }

  @Test
  void a_workqueue_whose_consumers_account_for_all_has_none() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("a", 3);
      quay.publish("x", 5);
      assertThat(quay.take("a", 2)).hasSize(2);
      assertThat(scan(quay, DAY, Instant.now())).isEmpty();
    }
  }

  @Test
  void exhausted_ones_are_found_beside_unclaimed_ones() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("a", 1, "a");
      quay.publish("a", 2);
      quay.publish("b", 1);
      quay.giveUp("a");
      assertThat(scan(quay, DAY, Instant.now()))
          .extracting(Orphans::kind, Orphans::count)
          .containsExactly(tuple(OrphanClass.UNCLAIMED, 1L), tuple(OrphanClass.EXHAUSTED, 2L));
    }
  }

  @Test
  void what_waits_for_a_durable_that_nobody_reads_from_is_forgotten_after_a_while()
      throws Exception {
    for (RetentionPolicy retention : List.of(RetentionPolicy.WorkQueue, RetentionPolicy.Interest)) {
      try (Quay quay = Quay.on(binary, retention)) {
        quay.durable("left", -1);
        quay.publish("x", 4);
        Instant later = Instant.now().plus(DAY).plusSeconds(60);

        assertThat(scan(quay, DAY, Instant.now())).isEmpty();
        assertThat(scan(quay, DAY, later))
            .singleElement()
            .satisfies(
                it -> {
                  assertThat(it.kind()).isEqualTo(OrphanClass.FORGOTTEN);
                  assertThat(it.count()).isEqualTo(4);
                  assertThat(it.consumers()).containsExactly("left");
                  assertThat(it.advice()).contains("nats consumer rm " + quay.stream + " left");
                });
        // Somebody waits for what comes.
        JetStreamSubscription reader =
            quay.connection
                .jetStream()
                .subscribe(null, PullSubscribeOptions.bind(quay.stream, "left"));
        reader.fetch(4, Quay.SOON);
        reader.pullExpiresIn(1, Quay.SOON);
        quay.connection.flush(Quay.SOON);
        assertThat(scan(quay, DAY, later)).isEmpty();
        reader.unsubscribe();
      }
    }
  }

  @Test
  void a_stream_kept_by_limits_is_an_archive_unless_asked() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.Limits)) {
      quay.publish("a", 1);
      quay.publish("b", 1);
      assertThat(scan(quay, DAY, Instant.now())).isEmpty();
      assertThat(scan(quay, DAY, Instant.now(), true)).isEmpty();
      quay.durable("a", -1, "a");
      assertThat(scan(quay, DAY, Instant.now())).isEmpty();
      assertThat(scan(quay, DAY, Instant.now(), true))
          .extracting(it -> it.subjects().get(0))
          .containsExactly(quay.subject("b"));
    }
  }

  @Test
  void what_another_stream_copies_is_claimed() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.Interest)) {
      quay.durable("a", -1, ">");
      quay.publish("x", 2);
      quay.management.addStream(
          StreamConfiguration.builder()
              .name(quay.stream + "-copy")
              .sources(Source.builder().name(quay.stream).build())
              .build());
      assertThat(scan(quay, DAY, Instant.now())).isEmpty();
    }
  }

  /** New servers list its consumer, so that what it waits for is outstanding twice. */
  @Test
  void a_stream_that_copies_hides_no_orphans_of_other_subjects() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.durable("billing", -1, "b");
      quay.management.addStream(
          StreamConfiguration.builder()
              .name(quay.stream + "-copy")
              .subjects(quay.stream + "-copy.x")
              .maxMessages(1)
              .discardPolicy(DiscardPolicy.New)
              .sources(Source.builder().name(quay.stream).filterSubject(quay.subject("b")).build())
              .build());
      quay.publish("b", 50);
      quay.publish("c", 3);
      // Full, it has one and asks for the others in vain.
      await()
          .atMost(Quay.SOON)
          .until(
              () ->
                  quay.management
                          .getStreamInfo(quay.stream + "-copy")
                          .getStreamState()
                          .getMsgCount()
                      == 1);
      await()
          .atMost(Quay.SOON)
          .until(
              () ->
                  quay.server.consumers(quay.stream).stream()
                      .filter(it -> !it.getName().equals("billing"))
                      .allMatch(it -> it.getNumAckPending() + it.getNumPending() > 3));

      assertThat(scan(quay, DAY, Instant.now()))
          .extracting(Orphans::kind, it -> it.subjects().get(0), Orphans::count)
          .containsExactly(tuple(OrphanClass.UNCLAIMED, quay.subject("c"), 3L));
    }
  }

  /** Such as a stream of a leaf node that copies from its namesake at the hub. */
  @Test
  void a_stream_does_not_claim_what_it_copies_from_its_namesake_elsewhere() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      quay.publish("x", 2);
      quay.management.updateStream(
          StreamConfiguration.builder(quay.management.getStreamInfo(quay.stream).getConfiguration())
              .sources(Source.builder().name(quay.stream).domain("hub").build())
              .build());
      assertThat(scan(quay, DAY, Instant.now()))
          .singleElement()
          .extracting(Orphans::kind)
          .isEqualTo(OrphanClass.UNCLAIMED);
    }
  }

  @Test
  void contrails_own_streams_are_never_looked_at() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.WorkQueue)) {
      new Provisioning(quay.connection, Quay.OPTIONS, InitPlan.of(quay.names), Provision.CREATE)
          .ensure(List.of(Store.values()));
      OrphanScan scan = new OrphanScan(quay.connection, Quay.OPTIONS, quay.names);
      for (Store store : Store.values()) {
        OrphanScan.Wanted own = new OrphanScan.Wanted(List.of(store.stream(quay.names)), DAY, true);
        assertThatThrownBy(() -> scan.scan(own, Instant.now()))
            .isInstanceOf(ContrailException.class)
            .hasMessageContaining("Contrail's own state");
      }
      assertThatThrownBy(
              () -> scan.scan(new OrphanScan.Wanted(List.of("NONE"), DAY, true), Instant.now()))
          .hasMessage("There is no stream NONE.");
    }
  }

  private static List<Orphans> scan(Quay quay, Duration idle, Instant now) throws Exception {
    return scan(quay, idle, now, false);
  }

  private static List<Orphans> scan(Quay quay, Duration idle, Instant now, boolean limits)
      throws Exception {
    return new OrphanScan(quay.connection, Quay.OPTIONS, quay.names)
        .scan(new OrphanScan.Wanted(List.of(quay.stream), idle, limits), now)
        .orphans();
  }
}
