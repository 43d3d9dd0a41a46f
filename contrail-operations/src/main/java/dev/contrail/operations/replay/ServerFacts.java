package dev.contrail.operations.replay;

import dev.contrail.event.CopyPlace;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.evidence.EvidenceDecoder;
import dev.contrail.evidence.Incarnation;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.RawHeaders;
import dev.contrail.operations.server.JetStreamServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What the server knows of streams and consumers. Blocks. */
class ServerFacts {
  /** What streams count beside headers and payload: the subject, and some bytes of their own. */
  private static final long BESIDE_A_MESSAGE = 1 << 10;

  private final JetStreamServer server;
  private final Names names;

  ServerFacts(Connection connection, JetStreamOptions options, Names names) {
    this.server = new JetStreamServer(connection, options);
    this.names = names;
  }

  /** More bytes than any message takes up in a stream that the server lets this user publish. */
  long largestMessage() {
    return server.largestMessage() + BESIDE_A_MESSAGE;
  }

  /** How the stream is configured; empty where there is none. */
  Optional<StreamConfiguration> stream(String stream) {
    return server.stream(stream).map(StreamInfo::getConfiguration);
  }

  /** The stream as it is; empty where there is none. */
  Optional<StreamInfo> info(String stream) {
    return server.stream(stream);
  }

  /** When a worker of Contrail last recorded completions of that consumer. */
  Optional<Instant> lastRecord(String stream, String consumer) {
    return server
        .find(
            "look at the ledger of " + consumer + " of " + stream,
            it -> it.getLastMessage(names.ledgerStream(), names.ledgerSubjects(stream, consumer)))
        .map(record -> record.getTime().toInstant());
  }

  /** Whether nothing of the consumer is being worked on; so too where there is none. */
  boolean isIdle(String stream, String consumer) {
    return consumers(stream).stream()
        .noneMatch(it -> it.getName().equals(consumer) && it.getNumAckPending() > 0);
  }

  /** When the stream was made; empty where there is none. */
  Optional<Instant> created(String stream) {
    return server.stream(stream).map(info -> info.getCreateTime().toInstant());
  }

  /** Which stream of that name it is; empty where there is none. */
  Optional<String> incarnation(String stream) {
    return created(stream).map(Incarnation::of);
  }

  /**
   * A dead letter of that message.
   *
   * @param consumer whose; empty for any
   */
  Optional<DeadLetterId> deadLetterOf(CopyPlace copy, Optional<String> consumer) {
    String stream = copy.stream();
    String subjects =
        consumer
            .map(
                name ->
                    new DeadLetterId(stream, name, copy.incarnation(), copy.sequence())
                        .subject(names.prefix()))
            .orElse(
                names.prefix()
                    + ".dlq."
                    + stream
                    + ".*."
                    + copy.incarnation()
                    + "."
                    + copy.sequence());
    return deadLetter("look for dead letters of " + stream, subjects)
        .flatMap(found -> DeadLetterId.ofSubject(names.prefix(), found.getSubject()));
  }

  /** What the head of a dead letter tells; empty where there is none. */
  Optional<DeadLetterSummary> summary(DeadLetterId id) {
    return deadLetter("look for the dead letter " + id, id.subject(names.prefix()))
        .map(head -> EvidenceDecoder.summary(id, RawHeaders.headers(head.getHeaders())));
  }

  private Optional<MessageInfo> deadLetter(String task, String subjects) {
    return server.find(task, it -> it.getLastMessage(names.deadLetterStream(), subjects));
  }

  List<ConsumerInfo> consumers(String stream) {
    return server.consumers(stream);
  }

  /** The stream that takes messages of that subject. */
  Optional<String> streamTaking(String subject) {
    return server.streamTaking(subject);
  }

  /** Whether a worker of Contrail has ever recorded completions of that consumer. */
  boolean hasLedger(String stream, String consumer) {
    return !server.subjects(names.ledgerStream(), names.ledgerSubjects(stream, consumer)).isEmpty();
  }
}
