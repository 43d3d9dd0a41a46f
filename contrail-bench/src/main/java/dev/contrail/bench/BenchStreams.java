package dev.contrail.bench;

import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Store;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.PublishAck;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The streams of one bench and the consumers on them, under names that nothing else has. */
final class BenchStreams {
  /** Long enough for the slowest contender to get through a window. */
  static final Duration ACK_WAIT = Duration.ofMinutes(5);

  private static final int UNCONFIRMED = 4_000;
  private static final Duration CONFIRMATION = Duration.ofSeconds(30);
  private static final int NOT_FOUND = 10059;

  private final BenchServer server;
  private final JetStreamManagement management;
  private final JetStream jetStream;
  private final Names names;
  private final Set<String> made = new LinkedHashSet<>();
  private int consumers;

  /**
   * @param connection that nothing is measured on
   * @param names under a prefix of this bench alone
   */
  BenchStreams(BenchServer server, Connection connection, Names names) {
    this.server = server;
    this.names = names;
    try {
      this.management = connection.jetStreamManagement(server.jetStream());
      this.jetStream = connection.jetStream(server.jetStream());
    } catch (IOException e) {
      throw failure("use JetStream", e);
    }
  }

  /** A stream with so many messages of that size, made when it is first asked for. */
  String filled(int bytes, int messages) throws InterruptedException {
    String what = bytes + "B_" + messages;
    String stream = name(what);
    if (made.contains(stream)) {
      return stream;
    }
    empty(what);
    append(stream, new byte[bytes], messages);
    return stream;
  }

  /** A new stream without messages. */
  String empty(String what) {
    String stream = name(what);
    made.add(stream);
    try {
      management.addStream(
          StreamConfiguration.builder()
              .name(stream)
              .subjects(subject(stream))
              .storageType(StorageType.File)
              .replicas(server.replicas())
              .build());
    } catch (IOException | JetStreamApiException e) {
      throw failure("make stream " + stream, e);
    }
    return stream;
  }

  /** The subject whose messages the stream keeps. */
  String subject(String stream) {
    return names.prefix() + ".work." + stream;
  }

  /** Publishes and waits until all is stored. */
  void append(String stream, byte[] payload, int messages) throws InterruptedException {
    Deque<CompletableFuture<PublishAck>> unconfirmed = new ArrayDeque<>();
    for (int i = 0; i < messages; i++) {
      if (unconfirmed.size() >= UNCONFIRMED) {
        confirm(unconfirmed.remove());
      }
      unconfirmed.add(jetStream.publishAsync(subject(stream), payload));
    }
    while (!unconfirmed.isEmpty()) {
      confirm(unconfirmed.remove());
    }
  }

  private static void confirm(CompletableFuture<PublishAck> ack) throws InterruptedException {
    try {
      ack.get(CONFIRMATION.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw failure("store the messages to consume", e.getCause() == null ? e : e.getCause());
    }
  }

  /** A new durable consumer that begins with the first message, the same for all contenders. */
  Place consumer(String stream) {
    Place place = new Place(stream, "c" + ++consumers);
    try {
      management.addOrUpdateConsumer(
          stream,
          ConsumerConfiguration.builder()
              .durable(place.consumer())
              .ackPolicy(AckPolicy.Explicit)
              .ackWait(ACK_WAIT)
              .maxDeliver(-1)
              .maxAckPending(BenchPlan.WINDOW)
              .build());
    } catch (IOException | JetStreamApiException e) {
      throw failure("make a consumer on " + stream, e);
    }
    return place;
  }

  /** Up to which sequence the server has everything acknowledged. */
  long ackFloor(Place place) {
    try {
      return management
          .getConsumerInfo(place.stream(), place.consumer())
          .getAckFloor()
          .getStreamSequence();
    } catch (IOException | JetStreamApiException e) {
      throw failure("look at consumer " + place.consumer(), e);
    }
  }

  void delete(Place place) {
    try {
      management.deleteConsumer(place.stream(), place.consumer());
    } catch (IOException | JetStreamApiException e) {
      throw failure("delete consumer " + place.consumer(), e);
    }
  }

  /** Empties the JetStream ledger, so that every round begins with the same. */
  void clearLedger() {
    try {
      management.purgeStream(names.ledgerStream());
    } catch (IOException | JetStreamApiException e) {
      throw failure("empty stream " + names.ledgerStream(), e);
    }
  }

  /** Deletes everything that this bench and its workers made; goes on where that fails. */
  void deleteAll() {
    Set<String> all = new LinkedHashSet<>(made);
    for (Store store : Store.values()) {
      all.add(store.stream(names));
    }
    all.removeIf(this::delete);
    if (!all.isEmpty()) {
      throw new BenchException(
          "these streams of the bench are left, delete them: " + String.join(", ", all));
    }
  }

  /** Deletes a stream that is no longer needed; returns whether it is gone. */
  boolean delete(String stream) {
    try {
      management.deleteStream(stream);
      return true;
    } catch (JetStreamApiException e) {
      return e.getApiErrorCode() == NOT_FOUND;
    } catch (IOException e) {
      return false;
    }
  }

  /** What the names of all its streams begin with. */
  String start() {
    return names.prefix().toUpperCase(Locale.ROOT) + "_";
  }

  private String name(String what) {
    return start() + what;
  }

  private static BenchException failure(String what, Throwable cause) {
    return new BenchException("cannot " + what + ": " + cause.getMessage(), cause);
  }
}
