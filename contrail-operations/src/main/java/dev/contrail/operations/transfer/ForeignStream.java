package dev.contrail.operations.transfer;

import dev.contrail.Headers;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Death;
import dev.contrail.evidence.Incarnation;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.evidence.Reason;
import dev.contrail.failure.Failure;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.DeadLetterArchive;
import dev.contrail.jetstream.Names;
import dev.contrail.operations.transfer.HeaderMapping.Field;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.StreamInfo;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Another team's dead-letter stream, read as dead letters of Contrail. Nothing is taken away there.
 * The id of each follows from its place in that stream, so that to import it twice stores it once.
 */
public final class ForeignStream {
  private static final int NO_SUCH_STREAM = 10059;

  private final String stream;
  private final String incarnation;
  private final long first;
  private final long last;
  private final DeadLetterArchive archive;
  private final HeaderMapping mapping;
  private final Defaults defaults;

  /**
   * What holds where headers tell nothing.
   *
   * @param stream of the messages that died; empty for that of the dead letters themselves
   * @param consumer that gave up on them
   */
  public record Defaults(Optional<String> stream, String consumer) {}

  /**
   * Of that name.
   *
   * @throws IllegalArgumentException when it is not there
   * @throws ContrailException when it cannot be read
   */
  public ForeignStream(
      Connection connection,
      JetStreamOptions options,
      String stream,
      HeaderMapping mapping,
      Defaults defaults) {
    try {
      StreamInfo info = connection.jetStreamManagement(options).getStreamInfo(stream);
      this.incarnation = Incarnation.of(info.getCreateTime().toInstant());
      this.first = info.getStreamState().getFirstSequence();
      this.last = info.getStreamState().getLastSequence();
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == NO_SUCH_STREAM) {
        throw new IllegalArgumentException("there is no stream " + stream, e);
      }
      throw new ContrailException("Stream " + stream + ": " + e.getErrorDescription() + ".", e);
    } catch (IOException | IllegalStateException e) {
      throw new ContrailException("No answer from JetStream about stream " + stream + ".", e);
    }
    this.stream = stream;
    this.archive = new DeadLetterArchive(connection, options, Names.DEFAULT);
    this.mapping = mapping;
    this.defaults = defaults;
  }

  public long firstSequence() {
    return first;
  }

  public long lastSequence() {
    return last;
  }

  /**
   * The message of that sequence as a dead letter; empty where there is none.
   *
   * @throws ContrailException when it cannot be read
   * @throws IllegalArgumentException with one sentence, when a name in its headers cannot be one
   */
  public Optional<ExportedEntry> read(long sequence) {
    return Answers.of(archive.message(stream, sequence))
        .map(message -> new ExportedEntry(letter(sequence, message), List.of()));
  }

  private DeadLetter letter(long sequence, OriginalMessage stored) {
    Headers headers = stored.headers();
    DeadLetterId id =
        new DeadLetterId(
            mapping.find(Field.STREAM, headers).or(defaults::stream).orElse(stream),
            mapping.find(Field.CONSUMER, headers).orElse(defaults.consumer()),
            incarnation,
            sequence);
    String exception = mapping.find(Field.EXCEPTION, headers).orElse("unknown");
    String message = mapping.find(Field.MESSAGE, headers).orElse("");
    Failure told = Failure.described(exception, message);
    return new DeadLetter(
        id,
        new OriginalMessage(
            mapping.find(Field.SUBJECT, headers).orElse(stored.subject()),
            stored.publishedAt(),
            stored.headerBlock(),
            stored.payload()),
        new Death(
            Reason.TERMINATED,
            time(headers).orElse(stored.publishedAt()),
            deliveries(headers),
            new Failure(
                told.exceptionClass(),
                told.message(),
                told.rootCauseClass(),
                mapping.find(Field.STACKTRACE, headers).orElse(""),
                told.fingerprint()),
            new Death.Witness("stream " + stream, Optional.empty())));
  }

  private Optional<Instant> time(Headers headers) {
    try {
      // NServiceBus writes 2026-05-04 12:00:00:123456 Z.
      return mapping
          .find(Field.DEAD_AT, headers)
          .map(
              text ->
                  text.strip()
                      .replaceFirst("^(\\d{4}-\\d\\d-\\d\\d) ", "$1T")
                      .replaceFirst("(T\\d\\d:\\d\\d:\\d\\d):(\\d+)", "$1.$2")
                      .replaceFirst(" Z$", "Z"))
          .map(Instant::parse);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private long deliveries(Headers headers) {
    return mapping
        .find(Field.DELIVERIES, headers)
        .filter(text -> text.matches("\\d{1,9}"))
        .map(Long::parseLong)
        .orElse(1L);
  }
}
