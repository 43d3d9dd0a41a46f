package dev.contrail.operations;

import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.evidence.EvidenceDecoder;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.RawHeaders;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.OrderedConsumerConfiguration;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The dead letters of an installation, as they are stored. Thread-safe. */
public final class DeadLetters {
  private static final int NO_MESSAGE_FOUND = 10037;

  private final Connection connection;
  private final JetStreamOptions options;
  private final Names names;
  private final StreamReading reading;

  public DeadLetters(Connection connection, JetStreamOptions options, Names names) {
    this.connection = connection;
    this.options = options;
    this.names = names;
    this.reading = new StreamReading(connection, options, names.deadLetterStream());
  }

  /**
   * All there are, or those of a stream, a consumer, read from their headers alone, the newest
   * first.
   *
   * @throws ContrailException when the dead-letter stream cannot be read
   */
  public DeadLetterListing list(Optional<String> stream, Optional<String> consumer)
      throws InterruptedException {
    List<DeadLetterSummary> entries = new ArrayList<>();
    List<String> unreadable = new ArrayList<>();
    for (Message head : heads(names.deadLetterSubjects(stream.orElse("*"), consumer.orElse("*")))) {
      Optional<DeadLetterId> id = DeadLetterId.ofSubject(names.prefix(), head.getSubject());
      if (id.isEmpty()) {
        unreadable.add("Subject " + head.getSubject() + " is not that of a dead letter.");
        continue;
      }
      try {
        entries.add(EvidenceDecoder.summary(id.get(), RawHeaders.headers(head)));
      } catch (UnreadableEvidenceException e) {
        unreadable.add(String.valueOf(e.getMessage()));
      }
    }
    entries.sort(
        Comparator.comparing(DeadLetterSummary::deadAt)
            .reversed()
            .thenComparing(summary -> summary.id().toString()));
    return new DeadLetterListing(entries, unreadable);
  }

  /**
   * The whole of one.
   *
   * @throws ContrailException when the dead-letter stream cannot be read
   * @throws UnreadableEvidenceException when it is damaged, or of a newer release
   */
  public Optional<DeadLetter> find(DeadLetterId id) {
    return last(id.subject(names.prefix()))
        .map(
            head ->
                EvidenceDecoder.decode(
                    id,
                    RawHeaders.headers(head.getHeaders()),
                    data(head),
                    (number, sha256) ->
                        last(id.partSubject(names.prefix(), number, sha256))
                            .map(DeadLetters::data)));
  }

  private List<Message> heads(String subject) throws InterruptedException {
    List<Message> heads = new ArrayList<>();
    reading.read(
        subject,
        new OrderedConsumerConfiguration()
            .deliverPolicy(DeliverPolicy.LastPerSubject)
            .headersOnly(true),
        heads::add);
    return heads;
  }

  private Optional<MessageInfo> last(String subject) {
    try {
      return Optional.of(
          connection
              .jetStreamManagement(options)
              .getLastMessage(names.deadLetterStream(), subject));
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == NO_MESSAGE_FOUND) {
        return Optional.empty();
      }
      throw reading.refused(e);
    } catch (IOException | IllegalStateException e) {
      throw reading.unanswered(e);
    }
  }

  private static byte[] data(MessageInfo message) {
    return message.getData() == null ? new byte[0] : message.getData();
  }
}
