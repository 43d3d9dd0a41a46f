package dev.contrail.operations.transfer;

import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.DeadLetterArchive;
import dev.contrail.jetstream.DeadLetterArchive.StoredEvent;
import dev.contrail.jetstream.Names;
import dev.contrail.operations.DeadLetters;
import dev.contrail.redaction.Redaction;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.util.Optional;

/** Reads dead letters whole, to be carried elsewhere. Thread-safe. */
public final class Exporter {
  private static final byte[] NO_BYTES = {};

  private final DeadLetters deadLetters;
  private final DeadLetterArchive archive;
  private final Redaction redaction;

  /**
   * Of an installation.
   *
   * @param redaction what stays behind
   */
  public Exporter(
      Connection connection, JetStreamOptions options, Names names, Redaction redaction) {
    this.deadLetters = new DeadLetters(connection, options, names);
    this.archive = new DeadLetterArchive(connection, options, names);
    this.redaction = redaction;
  }

  /**
   * One dead letter; empty where it is gone.
   *
   * @throws ContrailException when it cannot be read from its stream
   * @throws UnreadableEvidenceException when it is damaged, or of a newer release
   */
  public Optional<ExportedEntry> export(DeadLetterId id) {
    Optional<DeadLetter> letter = deadLetters.find(id);
    return letter.map(
        found ->
            new ExportedEntry(
                redaction.apply(found),
                Answers.of(archive.events(id)).stream().map(this::redacted).toList()));
  }

  /** Another payload may hold what must not be seen; what of it may be seen is of no use. */
  private StoredEvent redacted(StoredEvent event) {
    return redaction.isNone() || event.body().length == 0
        ? event
        : new StoredEvent(event.address(), event.headers(), NO_BYTES);
  }
}
