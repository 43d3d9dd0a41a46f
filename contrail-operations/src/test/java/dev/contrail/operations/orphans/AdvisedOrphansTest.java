package dev.contrail.operations.orphans;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Incarnation;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.TestServer;
import dev.contrail.operations.burial.Burial;
import dev.contrail.operations.burial.Corpse;
import dev.contrail.operations.orphans.ReapPlan.Fate;
import dev.contrail.operations.stranded.Quay;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.RetentionPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What the server said it gave up on is known for certain, however busy its consumer is. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.TestServer#binaries")
class AdvisedOrphansTest {
  private final NatsServerBinary binary;
  private TestServer place;
  private Quay quay;

  AdvisedOrphansTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    place = TestServer.start(binary, Store.ADVISORIES);
    quay = Quay.at(place.server.url(), "ORDERS", TestServer.NAMES.prefix());
  }

  @AfterEach
  void close() {
    quay.close();
    place.close();
  }

  @Test
  void on_a_workqueue_it_is_certain_while_other_work_is_pending() throws Exception {
    exhaustOne(RetentionPolicy.WorkQueue);
    quay.publish("new", 2);

    assertThat(scan())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.kind()).isEqualTo(OrphanClass.EXHAUSTED);
              assertThat(it.count()).isEqualTo(1);
              assertThat(it.oldest()).isPresent();
              assertThat(it.consumers()).containsExactly("billing");
            });
    assertThat(result().advisories()).isEqualTo(new OrphanScan.Advisories(1, 0, 0));

    assertThat(reap(Fate.DEAD_LETTER).reaped()).isEqualTo(1);

    assertThat(quay.stored()).as("what is pending stays").isEqualTo(2);
    assertThat(sequences()).containsExactly(1L);
    assertThat(quay.info("billing").getNumPending()).isEqualTo(2);
    assertThat(scan()).isEmpty();
  }

  @Test
  void what_others_captured_is_read_without_a_durable_consumer() throws Exception {
    exhaustOne(RetentionPolicy.WorkQueue);
    quay.publish("new", 1);
    assertThat(scan()).hasSize(1);
    assertThat(quay.server.consumers(quay.names.advisoryStream()))
        .allMatch(it -> it.getConsumerConfiguration().getDurable() == null);
  }

  @Test
  void without_an_advisory_it_is_only_suspected() throws Exception {
    exhaustOne(RetentionPolicy.WorkQueue);
    quay.publish("new", 2);
    quay.management.purgeStream(quay.names.advisoryStream());
    assertThat(scan())
        .extracting(Orphans::kind, Orphans::count)
        .containsExactly(tuple(OrphanClass.SUSPECTED, 1L));
  }

  @Test
  void an_advisory_that_comes_again_is_of_the_same_message() throws Exception {
    exhaustOne(RetentionPolicy.WorkQueue);
    advise("billing", 1, 1, Instant.now());
    quay.publish("new", 1);
    assertThat(scan()).extracting(Orphans::count).containsExactly(1L);
    assertThat(result().advisories().read()).isEqualTo(2);
  }

  @Test
  void a_consumer_that_was_made_again_or_allowed_more_may_be_given_it_again() throws Exception {
    exhaustOne(RetentionPolicy.WorkQueue);
    quay.publish("new", 2);
    quay.make("billing", it -> it.maxDeliver(2));
    assertThat(scan()).extracting(Orphans::kind).containsExactly(OrphanClass.SUSPECTED);
    assertThat(reap(Fate.DEAD_LETTER).reaped()).isZero();

    quay.management.deleteConsumer(quay.stream, "billing");
    quay.durable("billing", 1);
    List<Message> running = quay.take("billing", 2);
    assertThat(running).hasSize(2);
    assertThat(scan()).isEmpty();
    assertThat(reap(Fate.DEAD_LETTER).reaped()).isZero();
    assertThat(quay.stored()).isEqualTo(3);
  }

  @Test
  void what_runs_again_since_a_crash_set_the_consumer_back_is_not_taken() throws Exception {
    place.addStream("ORDERS", RetentionPolicy.WorkQueue);
    quay.durable("billing", 1);
    // From now on the consumer's time of creation stays the same, whatever happens.
    place.restart();
    TestServer.awaitServer(quay.management);
    quay.publish("new", 2);
    giveUp("billing", 2);
    place.crash("ORDERS", "billing");
    TestServer.awaitServer(quay.management);
    List<Message> again = quay.take("billing", 2);
    assertThat(again).as("set back").hasSize(2);
    // One is given up on again, so that more is stored than outstanding; the other runs.
    again.get(0).nak();
    Message running = again.get(1);
    await().atMost(Quay.SOON).until(() -> outstandingAfterAPull() == 1);

    ReapReport report = reap(Fate.DEAD_LETTER);

    assertThat(report.reaped()).isZero();
    assertThat(quay.stored()).as("still running").isEqualTo(2);
    assertThat(Reaps.letters(quay)).isEmpty();
    running.nak();
    giveUp("billing", 4);
    assertThat(reap(Fate.DEAD_LETTER).reaped()).as("given up on again").isEqualTo(2);
  }

  @Test
  void while_its_consumer_works_it_is_told_of_and_left_to_the_guard() throws Exception {
    exhaustOne(RetentionPolicy.WorkQueue);
    quay.publish("new", 1);
    List<Message> running = quay.take("billing", 1);
    assertThat(running).hasSize(1);

    assertThat(scan())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.kind()).isEqualTo(OrphanClass.EXHAUSTED);
              assertThat(it.count()).isEqualTo(1);
              assertThat(it.why()).contains("billing is at work");
              assertThat(it.advice()).isEqualTo("contrail guard --release ORDERS --from-start");
            });
    ReapReport report = reap(Fate.DEAD_LETTER);
    assertThat(report.left()).isEqualTo(1);
    assertThat(report.lines().get(0).left().keySet())
        .singleElement()
        .asString()
        .contains("billing is at work");

    running.forEach(Message::ack);
    await().atMost(Quay.SOON).until(() -> quay.info("billing").getNumAckPending() == 0);
    assertThat(reap(Fate.DEAD_LETTER).reaped()).isEqualTo(1);
  }

  @Test
  void a_limit_that_is_raised_between_evidence_and_deletion_saves_it() throws Exception {
    exhaustOne(RetentionPolicy.WorkQueue);
    quay.publish("new", 1);
    Reaps.prepare(quay);
    ReapReport report =
        Reaps.reap(
            quay,
            new Before(Reaps.real(quay)) {
              @Override
              void secondLook() throws Exception {
                quay.make("billing", it -> it.maxDeliver(5));
              }
            });
    assertThat(report.reaped()).isZero();
    assertThat(report.left()).isEqualTo(1);
    assertThat(quay.stored()).isEqualTo(2);
    assertThat(Reaps.status(quay, Reaps.letters(quay).get(0))).isEqualTo(Status.DISCARDED);
  }

  @Test
  void advisories_of_a_stream_of_that_name_before_tell_nothing() throws Exception {
    exhaustOne(RetentionPolicy.Limits);
    Instant then = Instant.now();
    quay.management.deleteStream(quay.stream);
    exhaustOne(RetentionPolicy.Limits, 2);
    quay.management.purgeStream(quay.names.advisoryStream());
    advise("billing", 1, 1, then);
    assertThat(scan()).isEmpty();
    advise("billing", 1, 1, Instant.now());
    assertThat(scan()).hasSize(1);
  }

  @Test
  void what_a_ledger_shows_as_completed_is_no_orphan() throws Exception {
    place.addStream("ORDERS", RetentionPolicy.Limits);
    try (ContrailConsumer worker =
        Contrail.consumer(place.connection, "ORDERS", "billing").handler(it -> {}).start()) {
      quay.publish("new", 1);
      await().atMost(Quay.SOON).until(() -> worker.status().counts().done() == 1);
    }
    quay.make("billing", it -> it.maxDeliver(1));
    quay.publish("new", 1);
    assertThat(quay.take("billing", 1)).hasSize(1);
    advise("billing", 1, 1, Instant.now());
    advise("billing", 2, 1, Instant.now());
    assertThat(scan()).extracting(Orphans::count).containsExactly(1L);
    assertThat(reap(Fate.DEAD_LETTER).reaped()).isEqualTo(1);
    assertThat(sequences()).containsExactly(2L);
  }

  @Test
  void what_another_consumer_of_an_interest_stream_waits_for_is_left_to_it() throws Exception {
    place.addStream("ORDERS", RetentionPolicy.Interest);
    quay.durable("billing", 1);
    quay.durable("mail", -1);
    quay.publish("new", 1);
    giveUp("billing", 1);
    quay.publish("new", 1);

    assertThat(scan())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.kind()).isEqualTo(OrphanClass.EXHAUSTED);
              assertThat(it.why()).contains("billing").contains("mail may still want it");
              assertThat(it.advice()).isEqualTo("contrail guard --release ORDERS --from-start");
            });
    ReapReport report = reap(Fate.DEAD_LETTER);
    assertThat(report.reaped()).isZero();
    assertThat(report.left()).isEqualTo(1);
    assertThat(quay.stored()).isEqualTo(2);
    assertThat(Reaps.letters(quay)).isEmpty();
  }

  @Test
  void what_all_others_of_an_interest_stream_are_done_with_is_taken_away() throws Exception {
    place.addStream("ORDERS", RetentionPolicy.Interest);
    quay.durable("billing", 1);
    quay.durable("mail", -1);
    quay.publish("new", 1);
    // Before the other gives up: servers before 2.10.26 lose the message else.
    quay.ackAll("mail");
    giveUp("billing", 1);
    quay.publish("new", 1);
    quay.ackAll("mail");
    assertThat(quay.info("billing").getNumPending()).isEqualTo(1);

    assertThat(reap(Fate.DEAD_LETTER).reaped()).isEqualTo(1);

    assertThat(sequences()).containsExactly(1L);
    assertThat(quay.stored()).isEqualTo(1);
  }

  @Test
  void what_a_sweep_of_the_guard_filed_under_nobody_is_not_filed_again() throws Exception {
    place.addStream("ORDERS", RetentionPolicy.Interest);
    quay.durable("billing", 1);
    quay.durable("audit", 1);
    quay.publish("new", 1);
    quay.ackAll("audit");
    giveUp("billing", 1);
    Reaps.prepare(quay);
    String made =
        Incarnation.of(quay.management.getStreamInfo("ORDERS").getCreateTime().toInstant());
    Corpse nobodys =
        new Corpse(
            "ORDERS",
            DeadLetterId.ORPHAN,
            1,
            Reason.EXHAUSTED,
            1,
            "exhausted",
            "one of two gave up",
            Instant.now(),
            Optional.empty());
    assertThat(Reaps.real(quay).bury(nobodys).join()).isInstanceOf(Burial.Result.Buried.class);
    quay.publish("new", 1);
    quay.ackAll("audit");

    assertThat(reap(Fate.DEAD_LETTER).reaped()).isEqualTo(1);

    assertThat(Reaps.letters(quay))
        .containsExactly(new DeadLetterId("ORDERS", DeadLetterId.ORPHAN, made, 1));
  }

  @Test
  void on_a_stream_kept_by_limits_it_gets_its_dead_letter_and_stays() throws Exception {
    exhaustOne(RetentionPolicy.Limits);
    quay.publish("new", 2);
    quay.ackAll("billing");

    assertThat(scan())
        .extracting(Orphans::kind, Orphans::count)
        .containsExactly(tuple(OrphanClass.EXHAUSTED, 1L));
    assertThat(reap(Fate.DELETE).reaped()).isZero();
    assertThat(quay.stored()).isEqualTo(3);
    assertThat(Reaps.letters(quay)).isEmpty();

    assertThat(reap(Fate.DEAD_LETTER).reaped()).isEqualTo(1);

    assertThat(quay.stored()).isEqualTo(3);
    DeadLetterId id = Reaps.letters(quay).get(0);
    assertThat(id.consumer()).isEqualTo("billing");
    assertThat(Reaps.reason(quay, id)).isEqualTo(Reason.EXHAUSTED);
    assertThat(Reaps.status(quay, id)).isEqualTo(Status.OPEN);
    assertThat(scan()).as("dealt with").isEmpty();
    assertThat(reap(Fate.DEAD_LETTER).reaped()).isZero();
  }

  @Test
  void a_dead_letter_that_was_decided_on_and_purged_does_not_make_it_an_orphan_again()
      throws Exception {
    exhaustOne(RetentionPolicy.Limits);
    assertThat(reap(Fate.DEAD_LETTER).reaped()).isEqualTo(1);
    DeadLetterId id = Reaps.letters(quay).get(0);
    Reaps.real(quay).discard(id, "nobody wants it").join();
    quay.management.purgeStream(quay.names.deadLetterStream());
    assertThat(scan()).isEmpty();
  }

  private void exhaustOne(RetentionPolicy retention) throws Exception {
    exhaustOne(retention, 1);
  }

  private void exhaustOne(RetentionPolicy retention, long advisories) throws Exception {
    place.addStream("ORDERS", retention);
    quay.durable("billing", 1);
    quay.publish("new", 1);
    giveUp("billing", advisories);
  }

  /** Servers notice on the next pull that deliveries are used up. */
  private long outstandingAfterAPull() throws Exception {
    JetStreamSubscription pull =
        quay.connection.jetStream().subscribe(null, PullSubscribeOptions.bind("ORDERS", "billing"));
    assertThat(pull.fetch(1, Duration.ofMillis(50))).isEmpty();
    pull.unsubscribe();
    return quay.info("billing").getNumAckPending();
  }

  /** Until the server has said so often that it gave up. */
  private void giveUp(String consumer, long advisories) throws Exception {
    quay.giveUp(consumer);
    // Older servers say so when they are asked for the next message.
    JetStreamSubscription pull =
        quay.connection.jetStream().subscribe(null, PullSubscribeOptions.bind("ORDERS", consumer));
    await()
        .atMost(Quay.SOON)
        .until(
            () -> {
              pull.fetch(1, Duration.ofMillis(50)).forEach(Message::nak);
              return quay.management
                      .getStreamInfo(quay.names.advisoryStream())
                      .getStreamState()
                      .getMsgCount()
                  >= advisories;
            });
    pull.unsubscribe();
  }

  private void advise(String consumer, long sequence, long deliveries, Instant at)
      throws Exception {
    String json =
        """
        {"type":"io.nats.jetstream.advisory.v1.max_deliver","id":"1","timestamp":"%s",\
        "stream":"ORDERS","consumer":"%s","stream_seq":%d,"deliveries":%d}"""
            .formatted(at, consumer, sequence, deliveries);
    quay.connection
        .jetStream()
        .publish(
            "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.ORDERS." + consumer, json.getBytes(UTF_8));
  }

  private OrphanScan.Result result() throws Exception {
    return new OrphanScan(quay.connection, Quay.OPTIONS, quay.names)
        .scan(new OrphanScan.Wanted(List.of(), Duration.ofDays(1), false), Instant.now());
  }

  private List<Orphans> scan() throws Exception {
    return result().orphans();
  }

  private ReapReport reap(Fate fate) throws Exception {
    return Reaps.reap(quay, fate, Optional.empty());
  }

  private List<Long> sequences() {
    return Reaps.letters(quay).stream()
        .peek(it -> assertThat(it.consumer()).isEqualTo("billing"))
        .map(DeadLetterId::sequence)
        .toList();
  }
}
