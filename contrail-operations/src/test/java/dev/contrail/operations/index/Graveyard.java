package dev.contrail.operations.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.Headers;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Death;
import dev.contrail.evidence.EncodedDeadLetter;
import dev.contrail.evidence.EvidenceEncoder;
import dev.contrail.evidence.Limits;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.evidence.Reason;
import dev.contrail.failure.Failure;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A server with dead letters on it, written as workers write them, of messages nobody sent. */
final class Graveyard implements AutoCloseable {
  static final Instant NOON = Instant.parse("2026-05-04T12:00:00Z");
  static final JetStreamOptions OPTIONS = JetStreamOptions.defaultOptions();
  static final Names NAMES = Names.DEFAULT;

  final NatsServer server;
  final Connection connection;
  final EventStore events;

  Graveyard(NatsServerBinary binary) {
    server = NatsServer.builder().binary(binary).start();
    connection = Contrail.connect(server.url());
    events = new EventStore(connection, OPTIONS, NAMES);
    provision();
  }

  void provision() {
    new Provisioning(connection, OPTIONS, InitPlan.of(NAMES), Provision.CREATE)
        .ensure(List.of(Store.DEAD_LETTERS, Store.EVENTS));
  }

  JetStreamManagement management() throws Exception {
    return connection.jetStreamManagement();
  }

  /** What a dead letter is made of; with names as short as tests want them. */
  record Grave(
      String stream,
      String consumer,
      long sequence,
      String subject,
      Reason reason,
      String exceptionClass,
      String message,
      Instant at,
      String appVersion,
      String payload) {
    static Grave of(long sequence) {
      return new Grave(
          "ORDERS",
          "billing",
          sequence,
          "orders.new",
          Reason.REJECTED,
          "shop.NoCustomerException",
          "no such customer",
          NOON.plusSeconds(sequence),
          "1.0",
          "order " + sequence);
    }

    Grave on(String otherStream, String otherConsumer, String otherSubject) {
      return new Grave(
          otherStream,
          otherConsumer,
          sequence,
          otherSubject,
          reason,
          exceptionClass,
          message,
          at,
          appVersion,
          payload);
    }

    Grave of(Reason otherReason, String otherClass, String otherMessage) {
      return new Grave(
          stream,
          consumer,
          sequence,
          subject,
          otherReason,
          otherClass,
          otherMessage,
          at,
          appVersion,
          payload);
    }

    Grave at(Instant time, String version) {
      return new Grave(
          stream,
          consumer,
          sequence,
          subject,
          reason,
          exceptionClass,
          message,
          time,
          version,
          payload);
    }

    DeadLetterId id() {
      return new DeadLetterId(stream, consumer, "abc", sequence);
    }

    DeadLetter letter() {
      return new DeadLetter(
          id(),
          OriginalMessage.of(
              subject, at.minus(Duration.ofMinutes(1)), Headers.none(), payload.getBytes(UTF_8)),
          new Death(
              reason,
              at,
              3,
              Failure.described(exceptionClass, message),
              new Death.Witness("7@host", Optional.of(appVersion))));
    }
  }

  DeadLetterId bury(Grave grave) {
    EncodedDeadLetter encoded = EvidenceEncoder.encode(grave.letter(), Limits.ofMessages(1 << 20));
    publish(encoded).join();
    return grave.id();
  }

  List<DeadLetterId> bury(long from, long to) {
    List<CompletableFuture<?>> published = new ArrayList<>();
    List<DeadLetterId> ids = new ArrayList<>();
    for (long sequence = from; sequence <= to; sequence++) {
      Grave grave = Grave.of(sequence);
      ids.add(grave.id());
      published.add(publish(EvidenceEncoder.encode(grave.letter(), Limits.ofMessages(1 << 20))));
    }
    CompletableFuture.allOf(published.toArray(CompletableFuture<?>[]::new)).join();
    return ids;
  }

  private CompletableFuture<?> publish(EncodedDeadLetter encoded) {
    io.nats.client.impl.Headers headers = new io.nats.client.impl.Headers();
    encoded.head().headers().forEach(line -> headers.add(line.name(), line.value()));
    try {
      return connection
          .jetStream()
          .publishAsync(encoded.id().subject(NAMES.prefix()), headers, encoded.head().body());
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  void decide(DeadLetterId id, Step step) {
    var decision = events.take(id, step, new EventStore.Decider("ann@host", NOON, true)).join();
    if (!(decision instanceof EventStore.Decision.Taken)) {
      throw new AssertionError(decision);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
    server.close();
  }
}
