package dev.contrail.evidence;

/**
 * All that is kept of a message that died, whole enough to explain it and to send it again.
 *
 * @param redacted whether something was blanked out of the message, so that it is not what died and
 *     must not be sent again as it is
 */
public record DeadLetter(DeadLetterId id, OriginalMessage message, Death death, boolean redacted) {
  /** The version of the stored form that this release writes, and the newest that it reads. */
  public static final int EVIDENCE_VERSION = 1;

  /** With the message as it was. */
  public DeadLetter(DeadLetterId id, OriginalMessage message, Death death) {
    this(id, message, death, false);
  }
}
