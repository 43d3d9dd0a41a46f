package dev.contrail.operations.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Death;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.evidence.Reason;
import dev.contrail.failure.Failure;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.CopyPublisher;
import dev.contrail.jetstream.DeadLetterArchive;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.DeadLetters;
import dev.contrail.redaction.Redaction;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinaries;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.StreamConfiguration;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** To export and to import is the identity, for whatever the server takes. */
class TransferPropertiesTest {
  private static final JetStreamOptions OPTIONS = JetStreamOptions.defaultOptions();
  private static final Names HERE = new Names("here");
  private static final Names THERE = new Names("there");

  private static final List<NatsServer> servers = new ArrayList<>();
  private static final List<Connection> connections = new ArrayList<>();

  @BeforeContainer
  static void open() throws Exception {
    List<NatsServerBinary> all = NatsServerBinaries.available();
    for (NatsServerBinary binary :
        new LinkedHashSet<>(List.of(all.get(0), NatsServerBinaries.newest()))) {
      NatsServer server = NatsServer.builder().binary(binary).start();
      servers.add(server);
      Connection connection = Contrail.connect(server.url());
      connections.add(connection);
      connection
          .jetStreamManagement()
          .addStream(StreamConfiguration.builder().name("ORDERS").subjects("orders.>").build());
      new Provisioning(connection, OPTIONS, InitPlan.of(HERE), Provision.CREATE)
          .ensure(List.of(Store.DEAD_LETTERS, Store.EVENTS));
    }
  }

  @AfterContainer
  static void close() throws Exception {
    for (Connection connection : connections) {
      connection.close();
    }
    servers.forEach(NatsServer::close);
  }

  /** The oldest server and the newest. */
  @Provide
  Arbitrary<Connection> connections() {
    return Arbitraries.of(connections);
  }

  @Property(tries = 250, shrinking = ShrinkingMode.OFF)
  void export_then_import_is_the_identity(
      @ForAll("connections") Connection connection,
      @ForAll("blocks") byte[] headerBlock,
      @ForAll("payloads") byte[] payload,
      @ForAll String text,
      @ForAll("payloads") byte[] edited)
      throws Exception {
    DeadLetterArchive here = new DeadLetterArchive(connection, OPTIONS, HERE);
    DeadLetter letter = letter(connection, published(connection, headerBlock, payload), text);
    assertThat(here.store(letter).join()).isEqualTo(DeadLetterArchive.Stored.NOW);
    decide(connection, letter.id(), text, edited);

    ExportedEntry exported =
        new Exporter(connection, OPTIONS, HERE, Redaction.NONE).export(letter.id()).orElseThrow();
    Importer importer =
        new Importer(connection, OPTIONS, THERE, Provision.CREATE, "a file", "ann@host");
    ExportedEntry read = ExportFormat.parse(ExportFormat.line(exported));
    assertThat(importer.store(read)).isEqualTo(Importer.Result.IMPORTED);
    assertThat(importer.store(read)).as("a second time").isEqualTo(Importer.Result.THERE);

    DeadLetter imported =
        new DeadLetters(connection, OPTIONS, THERE).find(letter.id()).orElseThrow();
    assertThat(imported.message().headerBlock()).as("header block").isEqualTo(headerBlock);
    assertThat(imported.message().payload()).as("payload").isEqualTo(payload);
    assertThat(imported)
        .isEqualTo(new DeadLetters(connection, OPTIONS, HERE).find(letter.id()).orElseThrow());
    EventStore before = new EventStore(connection, OPTIONS, HERE);
    EventStore after = new EventStore(connection, OPTIONS, THERE);
    var history = before.events(letter.id()).join().events();
    assertThat(after.events(letter.id()).join().events())
        .hasSize(history.size() + 1)
        .startsWith(history.toArray(dev.contrail.event.Event[]::new))
        .last()
        .satisfies(last -> assertThat(last.fact()).isEqualTo(new Step.Imported("a file")));
    assertThat(after.payload(letter.id(), 1).join().orElseThrow()).isEqualTo(edited);
    assertThat(after.difference(letter.id(), 1).join())
        .as("difference")
        .isEqualTo(before.difference(letter.id(), 1).join());
    assertThat(after.difference(letter.id(), 1).join().isEmpty()).isEqualTo(text.isEmpty());
  }

  private static void decide(Connection connection, DeadLetterId id, String text, byte[] edited) {
    EventStore events = new EventStore(connection, OPTIONS, HERE);
    EventStore.Decider ann = new EventStore.Decider("ann@höst", Instant.EPOCH, false);
    events
        .take(
            id,
            dev.contrail.event.EntryState.NEW,
            any -> Step.Edited.of(1, edited, text),
            Step.Edited.body(edited, text),
            ann)
        .join();
    events.take(id, new Step.Discarded(text), ann).join();
  }

  /** What the stream made of it: not every block that can be written is taken. */
  private static OriginalMessage published(Connection connection, byte[] block, byte[] payload) {
    var fate = new CopyPublisher(connection, OPTIONS).publish("orders.new", block, payload).join();
    assertThat(fate).isInstanceOf(CopyPublisher.Fate.Stored.class);
    return new DeadLetterArchive(connection, OPTIONS, HERE)
        .message("ORDERS", ((CopyPublisher.Fate.Stored) fate).sequence())
        .join()
        .orElseThrow();
  }

  private static DeadLetter letter(Connection connection, OriginalMessage message, String text)
      throws Exception {
    long sequence =
        connection.jetStreamManagement().getStreamInfo("ORDERS").getStreamState().getLastSequence();
    return new DeadLetter(
        new DeadLetterId("ORDERS", "billing", "abc", sequence),
        message,
        new Death(
            Reason.REJECTED,
            Instant.parse("2026-05-04T12:00:00.123456789Z"),
            3,
            Failure.described("shop." + text, text),
            new Death.Witness(text, Optional.of(text))));
  }

  @Provide
  Arbitrary<byte[]> payloads() {
    return Arbitraries.bytes().array(byte[].class).ofMaxSize(3_000);
  }

  @Provide
  Arbitrary<byte[]> blocks() {
    Arbitrary<String> names =
        Arbitraries.strings().withCharRange('A', 'z').ofMinLength(1).ofMaxLength(12);
    Arbitrary<byte[]> values =
        Arbitraries.bytes()
            .filter(b -> b != '\r' && b != '\n' && b != 0)
            .array(byte[].class)
            .ofMaxSize(60);
    Arbitrary<byte[]> lines =
        Combinators.combine(names, values)
            .as(
                (name, value) -> {
                  ByteArrayOutputStream line = new ByteArrayOutputStream();
                  line.writeBytes((name + ":").getBytes(UTF_8));
                  line.writeBytes(value);
                  line.writeBytes(new byte[] {'\r', '\n'});
                  return line.toByteArray();
                });
    return lines
        .list()
        .ofMinSize(1)
        .ofMaxSize(6)
        .map(
            all -> {
              ByteArrayOutputStream block = new ByteArrayOutputStream();
              block.writeBytes("NATS/1.0\r\n".getBytes(UTF_8));
              all.forEach(block::writeBytes);
              block.writeBytes(new byte[] {'\r', '\n'});
              return block.toByteArray();
            });
  }
}
