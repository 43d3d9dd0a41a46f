package dev.contrail.operations.replay;

import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.EvidenceDecoder;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.RawHeaders;
import dev.contrail.operations.DeadLetters;
import dev.contrail.plan.PlanEntry;
import io.nats.client.Connection;
import io.nats.client.ConsumeOptions;
import io.nats.client.IterableConsumer;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.JetStreamStatusCheckedException;
import io.nats.client.Message;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.OrderedConsumerConfiguration;
import io.nats.client.api.StreamState;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads dead letters as they lie in their stream, many times faster than one by one. Entries of a
 * plan lie there in its order, or nearly so; what does not come in its turn is fetched by itself.
 */
final class StreamedLetters implements Letters {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long MOST_BYTES_AHEAD = 16 << 20;
  private static final int MOST_AHEAD = 500;
  private static final int FEWEST_AHEAD = 8;
  private static final int NO_MESSAGE_FOUND = 10037;

  /** The order of a plan is that of deaths, and those of one moment are stored in any order. */
  private static final int ABOUT_SO_FAR_OFF = 1_000;

  private static final String PARTS = "Contrail-Parts";

  private final DeadLetters deadLetters;
  private final Names names;
  private final Set<DeadLetterId> wanted = new HashSet<>();
  private final IterableConsumer messages;
  private @Nullable Message ahead;
  private boolean over;

  StreamedLetters(
      Connection connection,
      JetStreamOptions options,
      Names names,
      DeadLetters deadLetters,
      List<PlanEntry> entries) {
    this(names, deadLetters, entries, messages(connection, options, names, entries));
  }

  /** Reads them from messages that come as they lie in the stream. */
  StreamedLetters(
      Names names, DeadLetters deadLetters, List<PlanEntry> entries, IterableConsumer messages) {
    this.deadLetters = deadLetters;
    this.names = names;
    this.messages = messages;
    entries.forEach(entry -> wanted.add(entry.id()));
  }

  static IterableConsumer messages(
      Connection connection, JetStreamOptions options, Names names, List<PlanEntry> entries) {
    try {
      var context = connection.getStreamContext(names.deadLetterStream(), options);
      StreamState state = context.getStreamInfo().getStreamState();
      long average = state.getByteCount() / Math.max(1, state.getMsgCount()) + 1;
      int batch =
          (int) Math.max(FEWEST_AHEAD, Math.min(MOST_AHEAD, MOST_BYTES_AHEAD / (2 * average)));
      return context
          .createOrderedConsumer(
              new OrderedConsumerConfiguration()
                  .deliverPolicy(DeliverPolicy.ByStartSequence)
                  .startSequence(start(connection, options, names, entries.get(0).id()))
                  .filterSubject(filter(names, entries.stream().map(PlanEntry::id).toList())))
          .iterate(ConsumeOptions.builder().batchSize(batch).build());
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      throw unreadable(names, e);
    }
  }

  /** A plan may begin behind many that were replayed before, and are not sent again and again. */
  private static long start(
      Connection connection, JetStreamOptions options, Names names, DeadLetterId first)
      throws IOException, JetStreamApiException {
    try {
      long sequence =
          connection
              .jetStreamManagement(options)
              .getLastMessage(names.deadLetterStream(), first.subject(names.prefix()))
              .getSeq();
      return Math.max(1, sequence - ABOUT_SO_FAR_OFF);
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == NO_MESSAGE_FOUND) {
        return 1;
      }
      throw e;
    }
  }

  /** Those of one consumer, where all are of one. */
  private static String filter(Names names, Collection<DeadLetterId> ids) {
    DeadLetterId first = ids.iterator().next();
    boolean sameStream = ids.stream().allMatch(id -> id.stream().equals(first.stream()));
    boolean sameConsumer = ids.stream().allMatch(id -> id.consumer().equals(first.consumer()));
    return names.deadLetterSubjects(
        sameStream ? first.stream() : "*", sameConsumer ? first.consumer() : "*");
  }

  @Override
  public Optional<DeadLetter> next(PlanEntry entry) throws InterruptedException {
    wanted.remove(entry.id());
    while (!over) {
      Message message = ahead == null ? read() : ahead;
      ahead = null;
      if (message == null) {
        break;
      }
      Optional<DeadLetterId> id = DeadLetterId.ofSubject(names.prefix(), message.getSubject());
      if (id.filter(entry.id()::equals).isPresent()) {
        return decode(entry.id(), message);
      }
      if (id.filter(wanted::contains).isPresent()) {
        ahead = message;
        break;
      }
    }
    return deadLetters.find(entry.id());
  }

  /** Null when no more comes: what the server had announced may have been purged since. */
  private @Nullable Message read() throws InterruptedException {
    try {
      Message message = messages.nextMessage(PATIENCE);
      over = message == null || message.metaData().pendingCount() == 0;
      return message;
    } catch (JetStreamStatusCheckedException e) {
      throw unreadable(names, e);
    }
  }

  private Optional<DeadLetter> decode(DeadLetterId id, Message head) {
    var headers = RawHeaders.headers(head);
    if (headers.first(PARTS).isPresent()) {
      return deadLetters.find(id);
    }
    byte[] data = head.getData() == null ? new byte[0] : head.getData();
    return Optional.of(
        EvidenceDecoder.decodeWithoutStackTrace(
            id, headers, data, (number, sha256) -> Optional.empty()));
  }

  private static ContrailException unreadable(Names names, Exception e) {
    return new ContrailException(
        "The dead letters in " + names.deadLetterStream() + " cannot be read: " + e.getMessage(),
        e);
  }

  @Override
  public void close() {
    try {
      messages.close();
    } catch (Exception e) {
      throw unreadable(names, e);
    }
  }
}
