package dev.contrail.operations.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.Headers;
import dev.contrail.event.CopyPlace;
import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Fact;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.evidence.Death;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.evidence.Reason;
import dev.contrail.failure.Failure;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.DeadLetterArchive;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.operations.DeadLetters;
import dev.contrail.operations.replay.Decisions;
import dev.contrail.redaction.Redaction;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.StreamConfiguration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.replay.Scene#servers")
class ImporterTest {
  private static final JetStreamOptions OPTIONS = JetStreamOptions.defaultOptions();
  private static final Names NAMES = Names.DEFAULT;
  private static final DeadLetterId ID = new DeadLetterId("ORDERS", "billing", "abc", 7);
  private static final EventStore.Decider ANN =
      new EventStore.Decider("ann@host", Instant.EPOCH, true);

  private static final CopyPlace COPY = new CopyPlace("ORDERS", "abc", 8);

  private final NatsServerBinary binary;
  private NatsServer server;
  private Connection connection;
  private Importer importer;
  private EventStore events;

  ImporterTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() {
    server = NatsServer.builder().binary(binary).start();
    connection = Contrail.connect(server.url());
    importer = new Importer(connection, OPTIONS, NAMES, Provision.CREATE, "a file", "ann@host");
    events = new EventStore(connection, OPTIONS, NAMES);
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
    server.close();
  }

  @Test
  void another_dead_letter_of_that_id_keeps_its_payload_and_its_history() {
    assertThat(importer.store(entry("first"))).isEqualTo(Importer.Result.IMPORTED);
    events.take(ID, new Step.Discarded("ours"), ANN).join();
    ExportedEntry first = export(Redaction.NONE);
    events.take(ID, new Step.Restored(), ANN).join();

    assertThat(importer.store(new ExportedEntry(letter("second"), first.events())))
        .isEqualTo(Importer.Result.OTHER_LETTER);

    assertThat(payload()).isEqualTo("first");
    assertThat(events.events(ID).join().events()).hasSize(3);
  }

  @Test
  void what_was_decided_here_meanwhile_stays() {
    importer.store(entry("first"));
    events.take(ID, new Step.Discarded("theirs"), ANN).join();
    ExportedEntry exported = export(Redaction.NONE);
    Names other = new Names("other");
    Importer there =
        new Importer(connection, OPTIONS, other, Provision.CREATE, "a file", "ann@host");
    EventStore decided = new EventStore(connection, OPTIONS, other);
    there.store(entry("first"));
    decided.take(ID, new Step.Discarded("ours"), ANN).join();

    assertThat(there.store(exported)).isEqualTo(Importer.Result.OTHER_HISTORY);
    assertThat(decided.events(ID).join().events())
        .extracting(event -> event.fact())
        .contains(new Step.Discarded("ours"))
        .doesNotContain(new Step.Discarded("theirs"));
  }

  @Test
  void of_a_history_that_is_another_nothing_is_taken() {
    importer.store(entry("first"));
    ExportedEntry beginning = export(Redaction.NONE);
    events.take(ID, replay("theirs"), ANN).join();
    events.create(event(EventAddress.run(ID, 2, 1), new Fact.Run(COPY, "billing"))).join();
    events
        .create(
            event(EventAddress.outcome(ID, 2), new ReplayOutcome.Resolved(COPY, "billing", false)))
        .join();
    events.take(ID, new Step.Restored(), ANN).join();
    events.take(ID, new Step.Discarded("theirs"), ANN).join();
    ExportedEntry exported = export(Redaction.NONE);
    Names other = new Names("other");
    EventStore decided = new EventStore(connection, OPTIONS, other);
    Importer there = importer(other);
    new DeadLetterArchive(connection, OPTIONS, other).store(beginning.events().get(0)).join();
    decided.take(ID, replay("ours"), ANN).join();
    List<Event> before = decided.events(ID).join().events();

    assertThat(there.store(exported)).isEqualTo(Importer.Result.OTHER_HISTORY);

    assertThat(decided.events(ID).join().events()).isEqualTo(before).hasSize(2);
    assertThat(decided.outcome(ID, 2).join()).as("a copy that is live here is run").isEmpty();
    assertThat(new DeadLetters(connection, OPTIONS, other).find(ID)).isEmpty();
  }

  @Test
  void what_became_of_a_step_here_is_not_joined_by_what_was_decided_after_it_there() {
    events.take(ID, replay("same"), ANN).join();
    ExportedEntry replayed = new ExportedEntry(letter("first"), archive(NAMES).events(ID).join());
    events.take(ID, new Step.Discarded("theirs"), ANN).join();
    ExportedEntry discarded = new ExportedEntry(letter("first"), archive(NAMES).events(ID).join());
    Names other = new Names("other");
    EventStore decided = new EventStore(connection, OPTIONS, other);
    Importer there = importer(other);
    archive(other).store(replayed.events().get(0)).join();
    decided.create(event(EventAddress.run(ID, 1, 1), new Fact.Run(COPY, "billing"))).join();

    assertThat(there.store(discarded)).isEqualTo(Importer.Result.OTHER_HISTORY);

    assertThat(decided.state(ID).join().lastStep()).isEqualTo(1);
  }

  @Test
  void an_import_that_was_killed_between_two_events_goes_on() {
    importer.store(entry("first"));
    events.take(ID, replay("theirs"), ANN).join();
    events.create(event(EventAddress.note(ID, "n1"), new Fact.Note("called"))).join();
    events.create(event(EventAddress.outcome(ID, 2), new ReplayOutcome.Failed("full"))).join();
    events.take(ID, new Step.Discarded("theirs"), ANN).join();
    ExportedEntry exported = export(Redaction.NONE);
    Names other = new Names("other");
    Importer there = importer(other);
    archive(other).store(exported.events().get(0)).join();
    archive(other).store(exported.events().get(1)).join();

    assertThat(there.store(exported)).isEqualTo(Importer.Result.IMPORTED);
    assertThat(there.store(exported)).isEqualTo(Importer.Result.THERE);

    EventStore imported = new EventStore(connection, OPTIONS, other);
    assertThat(imported.events(ID).join().events())
        .containsAll(events.events(ID).join().events())
        .hasSize(6);
    assertThat(imported.state(ID).join().status()).isEqualTo(Status.DISCARDED);
  }

  @Test
  void the_payload_of_an_edit_that_a_purge_took_away_comes_back() throws Exception {
    importer.store(entry("first"));
    edit("second");
    ExportedEntry exported = export(Redaction.NONE);
    Decisions decisions =
        new Decisions(connection, OPTIONS, NAMES, Provision.CREATE, "ann@host", true);
    assertThat(decisions.purge(DeadLetterSummary.of(letter("first")))).isEmpty();
    assertThat(events.payload(ID, 1).join()).isEmpty();

    assertThat(importer.store(exported)).isEqualTo(Importer.Result.IMPORTED);

    assertThat(events.state(ID).join().version()).isEqualTo(1);
    assertThat(events.payload(ID, 1).join())
        .hasValueSatisfying(payload -> assertThat(payload).asString().isEqualTo("second"));
  }

  @Test
  void an_edit_without_its_payload_is_not_taken() {
    importer.store(entry("first"));
    edit("second");
    ExportedEntry exported = export(Redaction.of(List.of("none"), List.of()));
    Names other = new Names("other");

    assertThat(importer(other).store(exported)).isEqualTo(Importer.Result.PAYLOAD_MISSING);

    assertThat(new DeadLetters(connection, OPTIONS, other).find(ID)).isEmpty();
    assertThat(archive(other).events(ID).join()).isEmpty();
    assertThat(importer.store(exported))
        .as("where it still is, nothing is missing")
        .isEqualTo(Importer.Result.THERE);
  }

  @Test
  void what_was_purged_is_open_again_when_it_is_imported() throws Exception {
    importer.store(entry("first"));
    ExportedEntry exported = export(Redaction.NONE);
    events.take(ID, new Step.Purged(Instant.EPOCH, "00"), ANN).join();
    connection.jetStreamManagement().deleteMessage(NAMES.deadLetterStream(), 1);

    assertThat(importer.store(exported)).isEqualTo(Importer.Result.IMPORTED);

    assertThat(events.state(ID).join().status()).isEqualTo(Status.OPEN);
    assertThat(payload()).isEqualTo("first");
  }

  @Test
  void an_import_that_was_killed_before_the_dead_letter_was_stored_goes_on() {
    events.take(ID, new Step.Imported("a file"), ANN).join();

    assertThat(importer.store(entry("first"))).isEqualTo(Importer.Result.IMPORTED);
    assertThat(events.events(ID).join().events()).as("said once").hasSize(1);
  }

  @Test
  void an_export_holds_no_secrets_and_says_so() {
    importer.store(entry("{\"card\":4111}"));
    events
        .take(
            ID,
            new EntryState(Status.OPEN, 1, 0, Optional.empty()),
            any -> new Step.Edited(1, 4, "00"),
            "4112".getBytes(UTF_8),
            ANN)
        .join();

    ExportedEntry exported = export(Redaction.of(List.of(), List.of("$.card")));

    String line = ExportFormat.line(exported);
    assertThat(exported.letter().redacted()).isTrue();
    assertThat(exported.letter().message().payload())
        .asString()
        .isEqualTo("{\"card\":\"[redacted]\"}");
    assertThat(exported.events())
        .hasSize(2)
        .allSatisfy(event -> assertThat(event.body()).isEmpty());
    assertThat(ExportFormat.parse(line).letter()).isEqualTo(exported.letter());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "{}",
        "{\"exportVersion\":2}",
        "{\"exportVersion\":1,\"id\":\"a.b.c.1\"}",
        "{\"exportVersion\":1,\"id\":\"a\",\"death\":{\"reason\":\"rejected\"}}"
      })
  void what_is_no_export_is_refused_in_one_sentence(String line) {
    assertThatThrownBy(() -> ExportFormat.parse(line))
        .isInstanceOf(UnreadableExportException.class)
        .hasMessageStartingWith("This is no exported dead letter: ");
  }

  @Test
  void another_teams_dead_letters_are_taken_over_with_what_their_headers_tell() throws Exception {
    connection
        .jetStreamManagement()
        .addStream(StreamConfiguration.builder().name("OLD").subjects("dead.>").build());
    publish("x-original-subject", "orders.new", "x-exception-message", "spring says");
    publish(
        "NServiceBus.ExceptionInfo.ExceptionType",
        "Shop.Failed",
        "NServiceBus.TimeOfFailure",
        "2026-05-04 12:00:00:123456 Z",
        "NServiceBus.ProcessingEndpoint",
        "billing");
    publish("My-Error", "by hand", "Error", "something else");
    publish();
    ForeignStream old =
        new ForeignStream(
            connection,
            OPTIONS,
            "OLD",
            HeaderMapping.known().with("message=My-Error"),
            new ForeignStream.Defaults(Optional.of("ORDERS"), "unknown"));

    for (int round = 0; round < 2; round++) {
      for (long at = old.firstSequence(); at <= old.lastSequence(); at++) {
        assertThat(importer.store(old.read(at).orElseThrow()))
            .isEqualTo(round == 0 ? Importer.Result.IMPORTED : Importer.Result.THERE);
      }
    }

    DeadLetter spring = imported(old, 1);
    assertThat(spring.message().subject()).isEqualTo("orders.new");
    assertThat(spring.death().failure().message()).isEqualTo("spring says");
    assertThat(spring.id().stream()).isEqualTo("ORDERS");
    assertThat(spring.message().payload()).asString().isEqualTo("payload");
    DeadLetter nservicebus = imported(old, 2);
    assertThat(nservicebus.death().failure().exceptionClass()).isEqualTo("Shop.Failed");
    assertThat(nservicebus.death().at()).isEqualTo(Instant.parse("2026-05-04T12:00:00.123456Z"));
    assertThat(nservicebus.id().consumer()).isEqualTo("billing");
    assertThat(imported(old, 3).death().failure().message()).isEqualTo("by hand");
    assertThat(imported(old, 4).message().subject()).isEqualTo("dead.letter");
    assertThat(events.events(spring.id()).join().events())
        .singleElement()
        .satisfies(event -> assertThat(event.fact()).isEqualTo(new Step.Imported("a file")));
  }

  @Test
  void a_mapping_that_is_none_is_refused_in_one_sentence() {
    for (String rule : List.of("", "message", "=X", "message=", "colour=X")) {
      assertThatThrownBy(() -> HeaderMapping.known().with(rule))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("'" + rule + "' is no mapping; accepted is FIELD=HEADER");
    }
  }

  private void edit(String payload) {
    byte[] bytes = payload.getBytes(UTF_8);
    String sha256 = OriginalMessage.of("any", Instant.EPOCH, Headers.none(), bytes).payloadSha256();
    events
        .take(
            ID,
            events.state(ID).join(),
            state -> new Step.Edited(state.version() + 1, bytes.length, sha256),
            bytes,
            ANN)
        .join();
  }

  private Importer importer(Names names) {
    return new Importer(connection, OPTIONS, names, Provision.CREATE, "a file", "ann@host");
  }

  private DeadLetterArchive archive(Names names) {
    return new DeadLetterArchive(connection, OPTIONS, names);
  }

  private static Step.Replay replay(String plan) {
    return new Step.Replay(plan, "orders.new", "ORDERS", Optional.of("billing"), 0, ID, 1);
  }

  private static Event event(EventAddress address, Fact fact) {
    return new Event(address, Instant.EPOCH, "7@host", fact);
  }

  private DeadLetter imported(ForeignStream old, long sequence) {
    return new DeadLetters(connection, OPTIONS, NAMES)
        .find(old.read(sequence).orElseThrow().letter().id())
        .orElseThrow();
  }

  private void publish(String... headers) throws Exception {
    io.nats.client.impl.Headers all = new io.nats.client.impl.Headers();
    for (int i = 0; i < headers.length; i += 2) {
      all.add(headers[i], headers[i + 1]);
    }
    connection.jetStream().publish("dead.letter", all, "payload".getBytes(UTF_8));
  }

  private ExportedEntry export(Redaction redaction) {
    return new Exporter(connection, OPTIONS, NAMES, redaction).export(ID).orElseThrow();
  }

  private String payload() {
    return new String(
        new DeadLetters(connection, OPTIONS, NAMES).find(ID).orElseThrow().message().payload(),
        UTF_8);
  }

  private static ExportedEntry entry(String payload) {
    return new ExportedEntry(letter(payload), List.of());
  }

  private static DeadLetter letter(String payload) {
    return new DeadLetter(
        ID,
        OriginalMessage.of("orders.new", Instant.EPOCH, Headers.none(), payload.getBytes(UTF_8)),
        new Death(
            Reason.REJECTED,
            Instant.EPOCH,
            1,
            Failure.described("kind", "message"),
            new Death.Witness("w", Optional.empty())));
  }
}
