package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.Headers;
import dev.contrail.event.CopyPlace;
import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Fact;
import dev.contrail.event.LegalSteps.Answer;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.jetstream.EventStore.Decider;
import dev.contrail.jetstream.EventStore.Decision;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Decisions about one dead letter by several at once, on servers that know only create-once. */
@OnEveryServer
class EventStoreTest {
  private static final Instant AT = Instant.parse("2026-03-01T10:00:00.123456789Z");
  private static final DeadLetterId ID = new DeadLetterId("ORDERS", "billing", "x1", 7);
  private static final CopyPlace COPY = new CopyPlace("ORDERS", "x1", 99);
  private static final Decider ANN = new Decider("ann@host", AT, false);

  private final NatsServerBinary binary;
  private Workplace workplace;
  private EventStore store;

  EventStoreTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    workplace = Workplace.workqueue(Servers.shared(binary));
    workplace.provisionEvents();
    store = store(workplace.connection);
  }

  @AfterEach
  void close() {
    workplace.close();
  }

  @Test
  void an_entry_without_events_is_open_also_where_there_is_no_stream_for_them() throws Exception {
    assertThat(store.state(ID).join()).isEqualTo(EntryState.NEW);

    workplace.management.deleteStream(workplace.names.eventStream());

    assertThat(store.state(ID).join()).isEqualTo(EntryState.NEW);
    assertThat(store.find(EventAddress.outcome(ID, 1)).join()).isEmpty();
    assertThat(store.events(ID).join().events()).isEmpty();
    assertThatThrownBy(() -> store.take(ID, replay("p1"), ANN).join())
        .hasCauseInstanceOf(ContrailException.class);
  }

  @Test
  void steps_are_numbered_and_add_up_with_what_became_of_them() {
    store.take(ID, replay("p1"), ANN).join();
    assertThat(store.state(ID).join().status()).isEqualTo(Status.REPLAYING);
    store.create(event(EventAddress.run(ID, 1, 1), new Fact.Run(COPY, "billing"))).join();
    assertThat(store.state(ID).join().status()).isEqualTo(Status.REPLAYED);
    store.create(outcome(new ReplayOutcome.Failed("refused"))).join();
    assertThat(store.state(ID).join().status()).isEqualTo(Status.OPEN);

    store.take(ID, new Step.Discarded("too old"), ANN).join();

    assertThat(store.state(ID).join())
        .isEqualTo(new EntryState(Status.DISCARDED, 2, 0, Optional.empty()));
  }

  @Test
  void a_step_that_is_not_legal_stores_nothing_and_says_why() {
    store.take(ID, replay("p1"), ANN).join();

    assertThat(store.take(ID, replay("p2"), ANN).join())
        .isInstanceOfSatisfying(
            Decision.Refused.class,
            refused -> {
              assertThat(refused.state().status()).isEqualTo(Status.REPLAYING);
              assertThat(refused.answer()).isEqualTo(Answer.NO);
            });
    Step discard = new Step.Discarded("stuck");
    assertThat(store.take(ID, discard, ANN).join())
        .isInstanceOfSatisfying(
            Decision.Refused.class,
            refused -> assertThat(refused.answer()).isEqualTo(Answer.IF_FORCED));
    assertThat(store.state(ID).join().lastStep()).isEqualTo(1);

    Decider insists = new Decider("ann@host", AT, true);
    assertThat(store.take(ID, discard, insists).join()).isInstanceOf(Decision.Taken.class);
    assertThat(store.state(ID).join().status()).isEqualTo(Status.DISCARDED);
  }

  @Test
  void of_many_who_decide_at_once_on_what_they_saw_before_one_is_first() throws Exception {
    List<CompletableFuture<Decision>> decisions = new ArrayList<>();
    try (Connection other = Contrail.connect(workplace.server.url())) {
      EventStore there = store(other);
      for (int i = 0; i < 40; i++) {
        Step step = i % 3 == 0 ? new Step.Discarded("by " + i) : replay("p" + i);
        Decider decider = new Decider("op" + i, AT, false);
        decisions.add(
            (i % 2 == 0 ? store : there)
                .take(ID, EntryState.NEW, any -> step, new byte[0], decider));
      }
      decisions.forEach(CompletableFuture::join);
    }
    assertThat(decisions)
        .extracting(CompletableFuture::join)
        .filteredOn(Decision.Taken.class::isInstance)
        .hasSize(1);
    assertThat(store.state(ID).join().lastStep()).isEqualTo(1);
  }

  @Test
  void a_step_whose_answer_was_lost_is_known_as_its_own() {
    EntryState before = store.state(ID).join();
    store.take(ID, before, any -> replay("p1"), new byte[0], ANN).join();

    Decision again = store.take(ID, before, any -> replay("p1"), new byte[0], ANN).join();

    assertThat(again)
        .isInstanceOfSatisfying(
            Decision.Taken.class, taken -> assertThat(taken.event().address().step()).isEqualTo(1));
    assertThat(store.state(ID).join().lastStep()).isEqualTo(1);
  }

  @Test
  void there_is_one_outcome_whoever_tells_it() {
    Event resolved = outcome(new ReplayOutcome.Resolved(COPY, "billing", false));
    Event returned = outcome(new ReplayOutcome.Returned(ID));

    List<CompletableFuture<Event>> stored =
        IntStream.range(0, 20)
            .mapToObj(i -> store.createOrFind(i % 2 == 0 ? resolved : returned))
            .toList();

    assertThat(stored.stream().map(CompletableFuture::join).distinct()).hasSize(1);
    assertThat(store.create(resolved).join()).isFalse();
    assertThat(store.outcome(ID, 1).join()).contains((ReplayOutcome) stored.get(0).join().fact());
  }

  @Test
  void versions_of_a_payload_are_kept_beside_each_other() {
    byte[] first = "{\"cents\":1}".getBytes(UTF_8);
    byte[] second = {0, (byte) 0xff, 13, 10};
    edit(first);
    store.take(ID, new Step.Discarded("no"), ANN).join();
    store.take(ID, new Step.Restored(), ANN).join();
    edit(second);

    assertThat(store.state(ID).join().version()).isEqualTo(2);
    assertThat(store.payload(ID, 1).join())
        .hasValueSatisfying(it -> assertThat(it).isEqualTo(first));
    assertThat(store.payload(ID, 2).join())
        .hasValueSatisfying(it -> assertThat(it).isEqualTo(second));
    assertThat(store.payload(ID, 3).join()).isEmpty();
  }

  @Test
  void the_history_of_an_entry_is_read_in_order_beside_others_and_what_is_damaged() {
    DeadLetterId neighbour = new DeadLetterId("ORDERS", "billing", "x1", 70);
    Event note = event(EventAddress.note(ID, "n1"), new Fact.Note("called José"));
    Event skipped =
        event(EventAddress.skipped(ID, 1, COPY, "mail"), new Fact.Skipped(COPY, "mail"));
    store.create(note).join();
    store.take(neighbour, new Step.Discarded("other"), ANN).join();
    Event step = ((Decision.Taken) store.take(ID, replay("p1"), ANN).join()).event();
    store.create(skipped).join();
    new JetStreamApi(workplace.connection, JetStreamOptions.defaultOptions())
        .publish(
            workplace.names.eventStream(),
            EventAddress.outcome(ID, 1).subject(workplace.names.prefix()),
            new io.nats.client.impl.Headers(),
            new byte[0])
        .join();

    EventStore.Listing listing = store.events(ID).join();

    assertThat(listing.events()).containsExactly(note, step, skipped);
    assertThat(listing.unreadable())
        .containsExactly(
            "An event of the dead letter ORDERS.billing.x1.7 cannot be read (outcome 1): the header"
                + " Contrail-Event-Version is missing.");
  }

  @Test
  void a_payload_that_is_not_the_one_of_its_edit_is_none() throws Exception {
    byte[] payload = "{\"cents\":1}".getBytes(UTF_8);
    edit(payload);
    String subject = EventAddress.step(ID, 1).subject(workplace.names.prefix());
    JetStreamApi api = new JetStreamApi(workplace.connection, JetStreamOptions.defaultOptions());
    String stream = workplace.names.eventStream();
    for (byte[] other : List.of(new byte[0], "{\"cents\":2}".getBytes(UTF_8))) {
      var headers = RawHeaders.toClient(api.last(stream, subject).join().orElseThrow().headers());
      headers.remove("Nats-Expected-Last-Subject-Sequence");
      api.publish(stream, subject, headers, other).join();

      assertThat(store.state(ID).join().version()).isEqualTo(1);
      assertThat(store.payload(ID, 1).join()).isEmpty();
    }
  }

  private static String sha256(byte[] payload) {
    return OriginalMessage.of("any", AT, Headers.none(), payload).payloadSha256();
  }

  private void edit(byte[] payload) {
    EntryState now = store.state(ID).join();
    Decision edited =
        store
            .take(
                ID,
                now,
                state -> new Step.Edited(state.version() + 1, payload.length, sha256(payload)),
                payload,
                ANN)
            .join();
    assertThat(edited).isInstanceOf(Decision.Taken.class);
  }

  private static Step.Replay replay(String plan) {
    return new Step.Replay(plan, "orders.new", "ORDERS", Optional.of("billing"), 0, ID, 1);
  }

  private static Event outcome(ReplayOutcome outcome) {
    return event(EventAddress.outcome(ID, 1), outcome);
  }

  private static Event event(EventAddress address, Fact fact) {
    return new Event(address, AT, "7@host", fact);
  }

  private EventStore store(Connection connection) {
    return new EventStore(connection, JetStreamOptions.defaultOptions(), workplace.names);
  }
}
