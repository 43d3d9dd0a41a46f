package dev.contrail.operations.stranded;

/**
 * A message that a consumer gave up on.
 *
 * @param consumer {@link dev.contrail.evidence.DeadLetterId#ORPHAN} where it cannot be told which
 *     of several it was
 */
public record GuardedMessage(String stream, String consumer, long sequence) {
  /** Such as {@code message 42 of ORDERS/billing}. */
  @Override
  public String toString() {
    return "message " + sequence + " of " + stream + "/" + consumer;
  }
}
