package dev.contrail.ledger.log;

/** What a {@link LedgerLog} wants done. Commands return at once and are answered later. */
public interface LedgerPort {
  /** The end of the subject of records without completions. */
  String BARRIER = "barrier";

  /**
   * Appends a record to the log. Answered by {@link LedgerLog#published} or {@link
   * LedgerLog#publishFailed}.
   *
   * @param token the end of its subject: a block's, or {@link #BARRIER}
   */
  void publish(long id, String token, byte[] record);

  /** Deletes the records with that token whose place in the log is below {@code place}. */
  void purge(String token, long place);

  /**
   * Reads the log from that place on, in order and without a gap but for what was purged; whatever
   * was being read is given up.
   *
   * @param reading to be given to {@link LedgerLog#tailed} with every record, since some of an
   *     earlier reading may still be under way
   */
  void read(long reading, long fromPlace);

  /** A snapshot or the like could not be stored. Nothing is missing, but the log grows. */
  void upkeepFailed(Throwable cause);

  /** The stream hands out sequences again that it had used before, this one among them. */
  void sequenceReused(long sequence);
}
