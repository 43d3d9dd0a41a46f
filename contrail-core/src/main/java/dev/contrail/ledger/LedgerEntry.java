package dev.contrail.ledger;

/** A message of the stream, as far as a ledger needs to know it. */
public interface LedgerEntry {
  /** Its sequence in the stream. */
  long sequence();

  /**
   * When it was published. Streams that are restored or kept in memory hand out sequences again;
   * the time tells such a message from the one that was completed.
   */
  long publishedMillis();
}
