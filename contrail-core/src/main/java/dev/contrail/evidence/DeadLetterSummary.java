package dev.contrail.evidence;

import java.time.Instant;
import java.util.Optional;

/**
 * What a list shows of a dead letter, read from its headers alone. Texts that the dead letter does
 * not hold are empty.
 *
 * @param redacted whether something was blanked out of the message before it was stored
 */
public record DeadLetterSummary(
    DeadLetterId id,
    Reason reason,
    String subject,
    long deliveries,
    String exceptionClass,
    String exceptionMessage,
    String fingerprint,
    Instant deadAt,
    Instant publishedAt,
    long payloadBytes,
    String payloadSha256,
    Optional<String> appVersion,
    boolean redacted) {
  /** Of a message that was stored as it was. */
  public DeadLetterSummary(
      DeadLetterId id,
      Reason reason,
      String subject,
      long deliveries,
      String exceptionClass,
      String exceptionMessage,
      String fingerprint,
      Instant deadAt,
      Instant publishedAt,
      long payloadBytes,
      String payloadSha256,
      Optional<String> appVersion) {
    this(
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
        payloadSha256,
        appVersion,
        false);
  }

  /** The same of one that is at hand as a whole. */
  public static DeadLetterSummary of(DeadLetter letter) {
    Death death = letter.death();
    return new DeadLetterSummary(
        letter.id(),
        death.reason(),
        letter.message().subject(),
        death.deliveries(),
        death.failure().exceptionClass(),
        death.failure().message(),
        death.failure().fingerprint(),
        death.at(),
        letter.message().publishedAt(),
        letter.message().payload().length,
        letter.message().payloadSha256(),
        death.witness().appVersion(),
        letter.redacted());
  }

  /**
   * Whether this is a dead letter of the very message, and not of an earlier one whose sequence was
   * given out again.
   */
  public boolean isOf(OriginalMessage message) {
    // Of what was blanked out before it was stored, the hash is another.
    return publishedAt.equals(message.publishedAt())
        && (redacted || payloadSha256.equals(message.payloadSha256()));
  }
}
