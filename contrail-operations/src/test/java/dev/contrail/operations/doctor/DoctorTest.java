package dev.contrail.operations.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.doctor.Rule;
import dev.contrail.operations.doctor.advice.Advice;
import dev.contrail.operations.doctor.advice.Needs;
import dev.contrail.server.NatsServerBinaries;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.impl.Headers;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Against real servers: each thing that goes wrong is noticed by its rule, and by no other. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("servers")
class DoctorTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final NatsServerBinary binary;
  private Ward ward;

  DoctorTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  static List<NatsServerBinary> servers() {
    List<NatsServerBinary> all = NatsServerBinaries.available();
    return all.size() == 1 ? all : List.of(all.get(0), all.get(all.size() - 1));
  }

  @BeforeEach
  void open() throws Exception {
    ward = Ward.on(binary);
  }

  @AfterEach
  void close() throws Exception {
    ward.close();
  }

  @Test
  void a_sound_account_has_no_finding_at_all() throws Exception {
    AtomicInteger done = new AtomicInteger();
    ward.publish("orders.new", 3);
    ward.publish("log.line", 3);
    ward.management.deleteConsumer("ORDERS", "billing");
    try (ContrailConsumer unused =
        Contrail.consumer(ward.connection, "ORDERS", "billing")
            .filter("orders.new")
            .handler(delivery -> done.incrementAndGet())
            .start()) {
      await().atMost(SOON).until(() -> done.get() == 3);
      Diagnosis diagnosis = ward.examined(Ailment.options(Duration.ofMillis(500)));
      assertThat(diagnosis.findings()).isEmpty();
      assertThat(diagnosis.notChecked()).isEmpty();
      assertThat(diagnosis.streams()).isEqualTo(3);
      assertThat(diagnosis.consumers()).isEqualTo(5);
    }
    assertThat(ward.management.getStreamInfo("CONTRAIL_DLQ").getStreamState().getLastSequence())
        .as("what the doctor left behind")
        .isZero();
  }

  @ParameterizedTest
  @EnumSource
  void one_thing_that_goes_wrong_is_one_finding(Ailment ailment) throws Exception {
    assertThat(ward.examined(ailment.options()).findings()).as("before").isEmpty();
    ailment.harm.to(ward);
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(Ward.codes(ward.examined(ailment.options())))
                    .isEqualTo(ailment.codes(ward)));
  }

  @Test
  void a_ledger_that_forgets_too_soon_is_refused_by_its_own_rule() throws Exception {
    assertThat(Ward.codes(ward.examined(ledgerOf(Duration.ofMinutes(59)))))
        .isEqualTo(Ward.codes(Rule.LEDGER_FORGETS));
    assertThat(ward.examined(ledgerOf(Duration.ofHours(1))).findings()).isEmpty();
  }

  private static DoctorOptions ledgerOf(Duration ttl) {
    return Ailment.options(Duration.ZERO)
        .withWorkers(
            100,
            Duration.ofHours(1),
            wait -> ttl.compareTo(wait) < 0 ? Optional.of("it forgets.") : Optional.empty());
  }

  /** With a ledger in Redis nothing on the server tells whose it is. */
  @Test
  void a_consumer_that_contrail_works_unseen_is_judged_so_when_it_is_named() throws Exception {
    DoctorOptions named = Ailment.options(Duration.ZERO).withWorked(Set.of("LOG/mail"));
    ward.editConsumer("LOG", "mail", it -> it.maxAckPending(20_000));
    assertThat(ward.examined(Ailment.options(Duration.ZERO)).findings()).isEmpty();
    assertThat(Ward.codes(ward.examined(named))).isEqualTo(Ward.codes(Rule.MAX_DELIVER_AT_LIMIT));
    assertThat(
            ward.examined(ledgerOf(Duration.ofMinutes(59)).withWorked(Set.of("LOG/mail")))
                .findings())
        .filteredOn(finding -> finding.rule() == Rule.LEDGER_FORGETS)
        .extracting(finding -> finding.consumer().orElseThrow())
        .contains("mail");
  }

  /** Each that is denied costs the time that an answer may take. */
  @Test
  void a_user_who_may_look_at_nothing_does_not_wait_for_every_stream() throws Exception {
    ward.stream("FOURTH", it -> it.subjects("fourth"));
    ward.stream("FIFTH", it -> it.subjects("fifth"));
    try (Connection none = ward.connect("none")) {
      Diagnosis diagnosis =
          new Doctor(
                  none,
                  JetStreamOptions.builder().requestTimeout(Duration.ofMillis(500)).build(),
                  Names.DEFAULT,
                  Ailment.options(Duration.ZERO))
              .examine(Optional.empty(), (done, total) -> {});
      assertThat(Ward.codes(diagnosis)).isEqualTo(Ward.codes(Rule.NOT_LOOKED_AT));
      assertThat(diagnosis.findings())
          .extracting(finding -> finding.stream().isPresent())
          .containsExactlyInAnyOrder(true, true, true, false);
      assertThat(diagnosis.findings().get(0).found())
          .startsWith(
              "this user may not look at the first 3 streams, so others were not asked for");
    }
  }

  @Test
  void a_message_that_is_naked_in_a_loop_is_a_storm() throws Exception {
    ward.foreign("LOG", "hot", it -> it);
    ward.publish("log.line", 1);
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger rounds = new AtomicInteger();
    Thread loop =
        new Thread(
            () -> {
              try (Connection own = ward.connect("user")) {
                var pull = own.jetStream().subscribe(null, PullSubscribeOptions.bind("LOG", "hot"));
                while (!stop.get()) {
                  for (Message message : pull.fetch(1, Duration.ofSeconds(1))) {
                    message.nak();
                    rounds.incrementAndGet();
                  }
                }
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    loop.start();
    try {
      await().atMost(SOON).until(() -> rounds.get() > 5);
      Diagnosis diagnosis = ward.examined(Ailment.options(Duration.ofSeconds(1)));
      assertThat(Ward.codes(diagnosis)).isEqualTo(Ward.codes(Rule.NAK_STORM));
      assertThat(diagnosis.findings().get(0).found())
          .contains("redeliveries a second of 1 message");
    } finally {
      stop.set(true);
      loop.join();
    }
    assertThat(ward.examined(Ailment.options(Duration.ofMillis(200))).findings()).isEmpty();
  }

  @Test
  void servers_before_2_10_26_lose_what_is_exhausted_on_interest_streams() throws Exception {
    ward.foreign("NEWS", "feed", it -> it.maxDeliver(3));
    boolean loses = ward.isOld();
    assertThat(Ward.codes(ward.examined(Ailment.options(Duration.ZERO))))
        .isEqualTo(loses ? Ward.codes(Rule.KNOWN_LOSS) : Set.of());
  }

  /** With the loss itself: if a server is taken for one that passes over, it does. */
  @Test
  void servers_before_2_9_15_pass_over_messages_when_another_subject_is_rolled_up()
      throws Exception {
    ward.edit("LOG", it -> it.allowRollup(true));
    boolean loses = ward.isOld();
    assertThat(Ward.codes(ward.examined(Ailment.options(Duration.ZERO))))
        .isEqualTo(loses ? Ward.codes(Rule.KNOWN_LOSS) : Set.of());

    ward.publish("log.kept", 3);
    ward.publish("log.rolled", 1);
    ward.connection
        .jetStream()
        .publish("log.rolled", new Headers().put("Nats-Rollup", "sub"), new byte[] {1});
    assertThat(ward.fetch("LOG", "mail", 4))
        .extracting(Message::getSubject)
        .isEqualTo(
            loses
                ? List.of("log.rolled")
                : List.of("log.kept", "log.kept", "log.kept", "log.rolled"));
  }

  @Test
  void filters_of_a_workqueue_that_old_servers_let_overlap() throws Exception {
    if (!ward.isOld()) {
      assertThatThrownBy(
              () -> ward.editConsumer("ORDERS", "archive", it -> it.filterSubject("orders.*")))
          .hasMessageContaining("10100");
      return;
    }
    ward.editConsumer("ORDERS", "archive", it -> it.filterSubject("orders.*"));
    assertThat(Ward.codes(ward.examined(Ailment.options(Duration.ZERO))))
        .isEqualTo(Ward.codes(Rule.OVERLAPPING));
  }

  @Test
  void one_replica_that_is_synced_late_is_found_when_that_is_known() throws Exception {
    assertThat(
            Ward.codes(
                ward.examined(
                    Ailment.options(Duration.ZERO)
                        .withSyncInterval(Optional.of(Duration.ofMinutes(2))))))
        .isEqualTo(Ward.codes(Rule.SYNC_INTERVAL));
    assertThat(ward.examined(DoctorOptions.defaults()).notChecked())
        .singleElement()
        .asString()
        .contains("sync_interval");
  }

  @Test
  void a_user_who_may_not_publish_dead_letters_is_found() throws Exception {
    try (Connection mute = ward.connect("mute")) {
      Diagnosis diagnosis = Ward.examined(mute, Ailment.options(Duration.ZERO));
      assertThat(Ward.codes(diagnosis)).isEqualTo(Ward.codes(Rule.NO_DEAD_LETTER_PERMISSION));
      assertThat(diagnosis.findings())
          .extracting(finding -> finding.stream().get() + "/" + finding.consumer().get())
          .containsExactly("LOG/audit", "ORDERS/archive", "ORDERS/billing");
    }
  }

  @Test
  void a_stream_that_cannot_be_read_does_not_stop_the_others() throws Exception {
    ward.editConsumer("ORDERS", "billing", it -> it.maxDeliver(5));
    try (Connection blind = ward.connect("blind")) {
      assertThat(Ward.codes(Ward.examined(blind, Ailment.options(Duration.ZERO))))
          .isEqualTo(Ward.codes(Rule.MAX_DELIVER_AT_LIMIT, Rule.NOT_LOOKED_AT));
    }
  }

  @Test
  void one_stream_is_looked_at_alone_together_with_the_stores() throws Exception {
    ward.editConsumer("LOG", "audit", it -> it.maxDeliver(5));
    ward.edit("CONTRAIL_DLQ", it -> it.maximumMessageSize(1_000));
    Doctor doctor =
        new Doctor(
            ward.connection,
            JetStreamOptions.defaultOptions(),
            Names.DEFAULT,
            Ailment.options(Duration.ZERO));
    assertThat(Ward.codes(doctor.examine(Optional.of("ORDERS"), (done, total) -> {})))
        .isEqualTo(Ward.codes(Rule.STORE_TAKES_SMALL));
    assertThatThrownBy(() -> doctor.examine(Optional.of("NOTHING"), (done, total) -> {}))
        .isInstanceOf(ContrailException.class)
        .hasMessage("There is no stream NOTHING.");
  }

  @Test
  void a_server_where_contrail_was_never_used_has_nothing_of_it_missing() throws Exception {
    for (String own : ward.management.getStreamNames()) {
      if (own.contains("CONTRAIL_")) {
        ward.management.deleteStream(own);
      }
    }
    ward.management.deleteStream("ORDERS");
    ward.management.deleteConsumer("LOG", "audit");
    ward.editConsumer("LOG", "mail", it -> it.maxDeliver(-1));
    assertThat(ward.examined(Ailment.options(Duration.ZERO)).findings()).isEmpty();
  }

  @Test
  void the_age_of_the_oldest_unread_message_is_its_own_for_each_filter() throws Exception {
    ward.stream(
        "SHORT",
        it ->
            it.subjects("short.>")
                .retentionPolicy(RetentionPolicy.Limits)
                .duplicateWindow(Duration.ofSeconds(2))
                .maxAge(Duration.ofSeconds(20)));
    ward.worked("SHORT", "one", it -> it.filterSubject("short.one"));
    ward.publish("short.other", 1);
    ward.publish("short.one", 1);
    DoctorOptions hasty =
        Ailment.options(Duration.ZERO).withWorkers(100, Duration.ofSeconds(1), LedgerCheck.none());
    ward.editConsumer("SHORT", "one", it -> it.ackWait(Duration.ofSeconds(1)));
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(ward.examined(hasty).findings())
                    .singleElement()
                    .satisfies(
                        finding -> {
                          assertThat(finding.rule()).isEqualTo(Rule.UNREAD_WILL_GO);
                          assertThat(finding.consumer()).contains("one");
                          assertThat(finding.found())
                              .startsWith("max age 20s deletes the oldest unread message, 2 of ");
                        }));
  }

  /** With a worker and limits of their own the advised streams are sound. */
  @ParameterizedTest
  @CsvSource({"true,false,false", "true,false,true", "false,true,false", "false,false,false"})
  void what_is_advised_is_sound(boolean waits, boolean vanish, boolean several) throws Exception {
    Needs needs =
        new Needs(
            "FIT",
            List.of("fit.>"),
            waits,
            vanish,
            several,
            Optional.of(new Needs.Bounds(1_000_000, Optional.empty())),
            1);
    ward.management.addStream(Advice.of(needs).stream());
    ward.foreign("FIT", "reader", it -> it);
    ward.publish("fit.one", 2);
    assertThat(ward.examined(Ailment.options(Duration.ZERO)).findings()).isEmpty();
  }

  /** Whoever adds a rule shows a server on which it is found. */
  @Test
  void every_rule_is_tried_on_a_server() {
    Set<Rule> tried = EnumSet.noneOf(Rule.class);
    for (Ailment ailment : Ailment.values()) {
      tried.add(ailment.rule);
    }
    // By the other tests of this class.
    tried.addAll(
        EnumSet.of(
            Rule.LEDGER_FORGETS,
            Rule.NAK_STORM,
            Rule.KNOWN_LOSS,
            Rule.OVERLAPPING,
            Rule.SYNC_INTERVAL,
            Rule.NO_DEAD_LETTER_PERMISSION,
            Rule.NOT_LOOKED_AT));
    // In a cluster, by DoctorClusterTest.
    tried.addAll(EnumSet.of(Rule.SINGLE_REPLICA, Rule.STORE_REPLICAS));
    // They need to know what a worker asked for, so only its start can tell: AdoptionTest.
    tried.addAll(EnumSet.of(Rule.OTHER_FILTERS, Rule.OTHER_ACK_WAIT));
    assertThat(tried).isEqualTo(EnumSet.allOf(Rule.class));
  }
}
