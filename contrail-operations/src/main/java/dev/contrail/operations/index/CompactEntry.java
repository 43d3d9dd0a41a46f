package dev.contrail.operations.index;

import dev.contrail.event.EntryState;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.evidence.Reason;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;

/** What the headers of a dead letter tell, in little memory. */
final class CompactEntry {
  private static final HexFormat HEX = HexFormat.of();

  private final long position;
  private final DeadLetterId id;
  private final Reason reason;
  private final String subject;
  private final long deliveries;
  private final String exceptionClass;
  private final String exceptionMessage;
  private final String fingerprint;
  private final Instant deadAt;
  private final Instant publishedAt;
  private final long payloadBytes;
  private final byte[] payloadSha256;
  private final String appVersion;
  private final boolean redacted;

  /**
   * Of one.
   *
   * @throws IllegalArgumentException when the hash of its payload is none
   */
  CompactEntry(long position, DeadLetterSummary summary, StringPool pool) {
    DeadLetterId stored = summary.id();
    this.position = position;
    this.id =
        new DeadLetterId(
            pool.pooled(stored.stream()),
            pool.pooled(stored.consumer()),
            pool.pooled(stored.incarnation()),
            stored.sequence());
    this.reason = summary.reason();
    this.subject = pool.pooled(summary.subject());
    this.deliveries = summary.deliveries();
    this.exceptionClass = pool.pooled(summary.exceptionClass());
    this.exceptionMessage = pool.pooled(summary.exceptionMessage());
    this.fingerprint = pool.pooled(summary.fingerprint());
    this.deadAt = summary.deadAt();
    this.publishedAt = summary.publishedAt();
    this.payloadBytes = summary.payloadBytes();
    this.payloadSha256 = HEX.parseHex(summary.payloadSha256());
    this.appVersion = pool.pooled(summary.appVersion().orElse(""));
    this.redacted = summary.redacted();
  }

  IndexEntry with(EntryState state) {
    return new IndexEntry(
        new DeadLetterSummary(
            id,
            reason,
            subject,
            deliveries,
            exceptionClass,
            exceptionMessage,
            fingerprint,
            deadAt,
            publishedAt,
            payloadBytes,
            HEX.formatHex(payloadSha256),
            Optional.of(appVersion).filter(version -> !version.isEmpty()),
            redacted),
        state,
        position);
  }

  long position() {
    return position;
  }

  DeadLetterId id() {
    return id;
  }

  Reason reason() {
    return reason;
  }

  String subject() {
    return subject;
  }

  long deliveries() {
    return deliveries;
  }

  String exceptionClass() {
    return exceptionClass;
  }

  String exceptionMessage() {
    return exceptionMessage;
  }

  String fingerprint() {
    return fingerprint;
  }

  Instant deadAt() {
    return deadAt;
  }

  long payloadBytes() {
    return payloadBytes;
  }

  /** Empty where it is not known. */
  String appVersion() {
    return appVersion;
  }
}
