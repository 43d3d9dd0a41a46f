package dev.contrail.operations.replay;

import dev.contrail.event.CopyPlace;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.evidence.EvidenceDecoder;
import dev.contrail.evidence.Incarnation;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.RawHeaders;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import io.nats.client.api.StreamInfoOptions;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the server knows of streams and consumers. Blocks. */
class ServerFacts {
  private static final int STREAM_NOT_FOUND = 10059;
  private static final Set<Integer> NOT_THERE = Set.of(10037, STREAM_NOT_FOUND);

  private final Connection connection;
  private final JetStreamOptions options;
  private final Names names;

  ServerFacts(Connection connection, JetStreamOptions options, Names names) {
    this.connection = connection;
    this.options = options;
    this.names = names;
  }

  private interface Question<T> {
    T ask(JetStreamManagement management) throws IOException, JetStreamApiException;
  }

  /** How the stream is configured; empty where there is none. */
  Optional<StreamConfiguration> stream(String stream) {
    return info(stream, StreamInfoOptions.builder().build()).map(StreamInfo::getConfiguration);
  }

  /** When the stream was made; empty where there is none. */
  Optional<Instant> created(String stream) {
    return info(stream, StreamInfoOptions.builder().build())
        .map(info -> info.getCreateTime().toInstant());
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
    return answer(
        task,
        it -> {
          try {
            return Optional.of(it.getLastMessage(names.deadLetterStream(), subjects));
          } catch (JetStreamApiException e) {
            if (NOT_THERE.contains(e.getApiErrorCode())) {
              return Optional.empty();
            }
            throw e;
          }
        });
  }

  List<ConsumerInfo> consumers(String stream) {
    return answer("list the consumers of " + stream, it -> it.getConsumers(stream));
  }

  /** The stream that takes messages of that subject. */
  Optional<String> streamTaking(String subject) {
    return answer("find the stream of " + subject, it -> it.getStreamNames(subject)).stream()
        .findFirst();
  }

  /** Whether a worker of Contrail has ever recorded completions of that consumer. */
  boolean hasLedger(String stream, String consumer) {
    return info(
            names.ledgerStream(),
            StreamInfoOptions.filterSubjects(names.ledgerSubjects(stream, consumer)))
        .map(info -> !info.getStreamState().getSubjects().isEmpty())
        .orElse(false);
  }

  private Optional<StreamInfo> info(String stream, StreamInfoOptions how) {
    return answer(
        "look at stream " + stream,
        it -> {
          try {
            return Optional.of(it.getStreamInfo(stream, how));
          } catch (JetStreamApiException e) {
            if (e.getApiErrorCode() == STREAM_NOT_FOUND) {
              return Optional.empty();
            }
            throw e;
          }
        });
  }

  private <T> T answer(String task, Question<T> question) {
    try {
      return question.ask(connection.jetStreamManagement(options));
    } catch (JetStreamApiException e) {
      throw new ContrailException(
          "The NATS server refuses to " + task + ": " + e.getErrorDescription() + ".", e);
    } catch (IOException e) {
      throw new ContrailException(
          "The NATS server does not answer the request to " + task + "; is this user allowed to?",
          e);
    }
  }
}
