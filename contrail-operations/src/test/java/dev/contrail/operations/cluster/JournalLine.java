package dev.contrail.operations.cluster;

/**
 * Something that a worker process did with a message.
 *
 * @param nanos when, by a clock that is the same for all processes of the machine
 * @param detail of a run: what the message holds, and how often it was replayed; of a completed
 *     one: its delivery count
 */
record JournalLine(What what, String stream, long sequence, long nanos, String detail) {
  enum What {
    /** The ledger was asked at that time, and said that it is not completed. */
    OPEN,
    /** The ledger was asked at that time, and said that it is completed. */
    KNOWN,
    /** The handler began. */
    RUN,
    /** The handler returned. */
    DONE,
    /** The ledger confirmed the completion before that time. */
    RECORDED
  }

  static JournalLine parse(String text) {
    String[] words = text.split(" ", 5);
    return new JournalLine(
        What.valueOf(words[0]),
        words[1],
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        words[4]);
  }

  @Override
  public String toString() {
    return what + " " + stream + " " + sequence + " " + nanos + " " + detail;
  }
}
