package dev.contrail.operations.replay;

import dev.contrail.event.EntryState;
import dev.contrail.event.EventAddress;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.RawHeaders;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.StreamInfoOptions;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.util.Optional;

/**
 * Deletes what holds the payload of a dead letter, and has the server overwrite it. Each act may be
 * repeated. Blocks.
 */
final class Erasure {
  private static final int NO_MESSAGE_FOUND = 10037;
  private static final String EXPECTED = "Nats-Expected-Last-Subject-Sequence";

  private final Connection connection;
  private final JetStreamOptions options;
  private final Names names;

  Erasure(Connection connection, JetStreamOptions options, Names names) {
    this.connection = connection;
    this.options = options;
    this.names = names;
  }

  private interface Act {
    void on(JetStreamManagement management) throws IOException, JetStreamApiException;
  }

  /** The dead letter itself. */
  void head(DeadLetterId id) {
    perform(id, it -> all(it, names.deadLetterStream(), id.subject(names.prefix())));
  }

  /** What of it is stored beside it. */
  void parts(DeadLetterId id) {
    String filter = names.prefix() + ".part." + id + ".>";
    perform(
        id,
        it -> {
          var subjects =
              it.getStreamInfo(names.deadLetterStream(), StreamInfoOptions.filterSubjects(filter))
                  .getStreamState()
                  .getSubjects();
          for (var part : subjects) {
            all(it, names.deadLetterStream(), part.getName());
          }
        });
  }

  /** Other payloads for it. What was decided stays: the events that hold them lose their bodies. */
  void edits(DeadLetterId id, EntryState state) {
    if (state.version() == 0) {
      return;
    }
    perform(
        id,
        it -> {
          for (int step = 1; step <= state.lastStep(); step++) {
            withoutBody(it, EventAddress.step(id, step).subject(names.prefix()));
          }
        });
  }

  private void withoutBody(JetStreamManagement management, String subject)
      throws IOException, JetStreamApiException {
    Optional<MessageInfo> last = last(management, names.eventStream(), subject);
    if (last.isPresent() && last.get().getData() != null && last.get().getData().length > 0) {
      Headers headers = new Headers();
      RawHeaders.headers(last.get().getHeaders())
          .forEach(line -> headers.add(line.name(), line.value()));
      headers.remove(EXPECTED);
      // First the event again, then away with the old one: its step is never missing.
      connection.jetStream(options).publish(subject, headers, new byte[0]);
      last = last(management, names.eventStream(), subject);
    }
    if (last.isPresent()) {
      allBefore(management, names.eventStream(), subject, last.get().getSeq());
    }
  }

  private static void all(JetStreamManagement management, String stream, String subject)
      throws IOException, JetStreamApiException {
    allBefore(management, stream, subject, Long.MAX_VALUE);
  }

  private static void allBefore(
      JetStreamManagement management, String stream, String subject, long end)
      throws IOException, JetStreamApiException {
    Optional<MessageInfo> first = first(management, stream, subject);
    while (first.isPresent() && first.get().getSeq() < end) {
      management.deleteMessage(stream, first.get().getSeq(), true);
      first = first(management, stream, subject);
    }
  }

  private static Optional<MessageInfo> first(
      JetStreamManagement management, String stream, String subject)
      throws IOException, JetStreamApiException {
    return found(() -> management.getFirstMessage(stream, subject));
  }

  private static Optional<MessageInfo> last(
      JetStreamManagement management, String stream, String subject)
      throws IOException, JetStreamApiException {
    return found(() -> management.getLastMessage(stream, subject));
  }

  private interface Look {
    MessageInfo look() throws IOException, JetStreamApiException;
  }

  private static Optional<MessageInfo> found(Look look) throws IOException, JetStreamApiException {
    try {
      return Optional.of(look.look());
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == NO_MESSAGE_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private void perform(DeadLetterId id, Act act) {
    try {
      act.on(connection.jetStreamManagement(options));
    } catch (JetStreamApiException e) {
      throw new ContrailException(
          "The NATS server refuses to delete the dead letter "
              + id
              + " for good: "
              + e.getErrorDescription()
              + "; to purge it again goes on with it.",
          e);
    } catch (IOException | IllegalStateException e) {
      throw new ContrailException(
          "The NATS server does not answer the request to delete the dead letter "
              + id
              + " for good; to purge it again goes on with it.",
          e);
    }
  }
}
