package dev.contrail.evidence;

/** All that is kept of a message that died, whole enough to explain it and to send it again. */
public record DeadLetter(DeadLetterId id, OriginalMessage message, Death death) {
  /** The version of the stored form that this release writes, and the newest that it reads. */
  public static final int EVIDENCE_VERSION = 1;
}
