package dev.contrail.operations.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.Headers;
import dev.contrail.event.CopyPlace;
import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Fact;
import dev.contrail.event.LegalSteps;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Death;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.evidence.Reason;
import dev.contrail.failure.Failure;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.DeadLetterArchive;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.PlanStore;
import dev.contrail.jetstream.Provision;
import dev.contrail.operations.transfer.Importer.Result;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.redaction.Redaction;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What was being replayed when it was exported must not wait for ever where it is imported. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.replay.Scene#servers")
class ImportedReplayTest {
  private static final JetStreamOptions OPTIONS = JetStreamOptions.defaultOptions();
  private static final Names HERE = new Names("here");
  private static final Names THERE = new Names("there");
  private static final DeadLetterId ID = new DeadLetterId("ORDERS", "billing", "abc", 7);
  private static final CopyPlace COPY = new CopyPlace("ORDERS", "abc", 8);
  private static final EventStore.Decider ANN =
      new EventStore.Decider("ann@host", Instant.EPOCH, true);

  private final NatsServerBinary binary;
  private NatsServer server;
  private Connection connection;
  private EventStore here;
  private EventStore there;

  ImportedReplayTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() {
    server = NatsServer.builder().binary(binary).start();
    connection = Contrail.connect(server.url());
    here = new EventStore(connection, OPTIONS, HERE);
    there = new EventStore(connection, OPTIONS, THERE);
    importer(HERE).store(new ExportedEntry(letter(), List.of()));
    here.take(ID, replay(), ANN).join();
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
    server.close();
  }

  @Test
  void it_is_open_and_says_why_whether_its_copy_was_met_or_not() {
    assertThat(state(here).status()).isEqualTo(Status.REPLAYING);
    assertThat(importer(THERE).store(exported())).isEqualTo(Result.REOPENED);
    assertOpen();
    assertThat(there.outcome(ID, 2).join().orElseThrow())
        .isEqualTo(
            new ReplayOutcome.Failed(
                "it was imported while this replay was under way elsewhere; what became of that"
                    + " copy is not known here"));

    here.create(event(EventAddress.run(ID, 2, 1), new Fact.Run(COPY, "billing"))).join();
    assertThat(state(here).status()).isEqualTo(Status.REPLAYED);
    Names third = new Names("third");
    assertThat(importer(third).store(exported())).isEqualTo(Result.REOPENED);
    assertThat(state(new EventStore(connection, OPTIONS, third)).status()).isEqualTo(Status.OPEN);
  }

  @Test
  void one_whose_copy_a_worker_here_has_begun_with_waits_for_that() {
    ExportedEntry exported = exported();
    importer(THERE);
    DeadLetterArchive archive = new DeadLetterArchive(connection, OPTIONS, THERE);
    exported.events().forEach(event -> assertThat(archive.store(event).join()).isTrue());
    there.create(event(EventAddress.run(ID, 2, 1), new Fact.Run(COPY, "billing"))).join();

    assertThat(importer(THERE).store(exported)).isEqualTo(Result.IMPORTED);
    assertThat(there.outcome(ID, 2).join()).isEmpty();
    assertThat(state(there).status()).isEqualTo(Status.REPLAYED);
  }

  @Test
  void workers_here_are_kept_from_its_copy_before_it_is_told_to_have_failed() {
    importer(THERE).store(exported());
    assertThat(there.claim(ID, 2).join().orElseThrow().fact()).isInstanceOf(Fact.Barred.class);
  }

  @Test
  void to_import_it_again_changes_nothing() {
    importer(THERE).store(exported());
    int before = there.events(ID).join().events().size();
    assertThat(importer(THERE).store(exported())).isEqualTo(Result.THERE);
    assertThat(there.events(ID).join().events()).hasSize(before);

    // Replayed here meanwhile, by a plan of this place.
    there.take(ID, replay(), ANN).join();
    plan(THERE);
    assertThat(importer(THERE).store(exported())).isEqualTo(Result.THERE);
    assertThat(state(there).status()).isEqualTo(Status.REPLAYING);
  }

  @Test
  void an_import_that_was_killed_before_it_said_so_is_brought_to_its_end() {
    ExportedEntry exported = exported();
    importer(THERE);
    DeadLetterArchive archive = new DeadLetterArchive(connection, OPTIONS, THERE);
    exported.events().forEach(event -> assertThat(archive.store(event).join()).isTrue());
    assertThat(importer(THERE).store(exported)).isEqualTo(Result.REOPENED);
    assertOpen();
  }

  @Test
  void so_it_is_when_only_its_history_is_new_here() {
    ExportedEntry beginning =
        new ExportedEntry(letter(), exported().events().stream().limit(1).toList());
    DeadLetterArchive archive = new DeadLetterArchive(connection, OPTIONS, THERE);
    importer(THERE);
    beginning.events().forEach(event -> archive.store(event).join());
    archive.store(letter()).join();
    assertThat(state(there).status()).isEqualTo(Status.OPEN);

    assertThat(importer(THERE).store(exported())).isEqualTo(Result.REOPENED);
    assertOpen();
  }

  @Test
  void what_was_given_up_while_it_was_replayed_is_restored_without_force() {
    here.take(ID, new Step.Discarded("enough"), ANN).join();
    assertThat(importer(THERE).store(exported())).isEqualTo(Result.IMPORTED);
    assertThat(state(there).status()).isEqualTo(Status.DISCARDED);
    assertThat(LegalSteps.answer(state(there), Step.Kind.RESTORED))
        .isEqualTo(LegalSteps.Answer.YES);
  }

  @Test
  void a_replay_of_a_plan_that_is_here_goes_on() {
    importer(THERE);
    plan(THERE);
    assertThat(importer(THERE).store(exported())).isEqualTo(Result.IMPORTED);
    assertThat(state(there).status()).isEqualTo(Status.REPLAYING);
    assertThat(there.outcome(ID, 2).join()).isEmpty();
  }

  @Test
  void a_replay_that_is_over_stays_as_it_ended() {
    here.create(
            event(EventAddress.outcome(ID, 2), new ReplayOutcome.Resolved(COPY, "billing", false)))
        .join();
    assertThat(importer(THERE).store(exported())).isEqualTo(Result.IMPORTED);
    assertThat(state(there).status()).isEqualTo(Status.RESOLVED);
  }

  private void assertOpen() {
    EntryState state = state(there);
    assertThat(state.status()).isEqualTo(Status.OPEN);
    assertThat(LegalSteps.answer(state, Step.Kind.REPLAY)).isEqualTo(LegalSteps.Answer.YES);
  }

  private void plan(Names names) {
    PlanHead head = new PlanHead("p1", Instant.EPOCH, "ann@host", "one", 1, 1, PlanOptions.DEFAULT);
    new PlanStore(connection, OPTIONS, names).create(head, List.of(new PlanEntry(ID, 1, 0))).join();
  }

  private Importer importer(Names names) {
    return new Importer(connection, OPTIONS, names, Provision.CREATE, "a file", "bob@host");
  }

  private ExportedEntry exported() {
    return new Exporter(connection, OPTIONS, HERE, Redaction.NONE).export(ID).orElseThrow();
  }

  private static EntryState state(EventStore events) {
    return events.state(ID).join();
  }

  private static Step.Replay replay() {
    return new Step.Replay("p1", "orders.new", "ORDERS", Optional.of("billing"), 0, ID, 1);
  }

  private static Event event(EventAddress address, Fact fact) {
    return new Event(address, Instant.EPOCH, "7@host", fact);
  }

  private static DeadLetter letter() {
    return new DeadLetter(
        ID,
        OriginalMessage.of("orders.new", Instant.EPOCH, Headers.none(), "order".getBytes(UTF_8)),
        new Death(
            Reason.REJECTED,
            Instant.EPOCH,
            1,
            Failure.described("kind", "message"),
            new Death.Witness("w", Optional.empty())));
  }
}
