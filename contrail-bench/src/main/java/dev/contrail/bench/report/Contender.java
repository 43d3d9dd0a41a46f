package dev.contrail.bench.report;

/** One way to consume a stream. */
public enum Contender {
  BARE("a", "bare client, ack"),
  WITHOUT_LEDGER("b", "Contrail without a ledger"),
  JETSTREAM_LEDGER("c", "Contrail, JetStream ledger"),
  REDIS_LEDGER("d", "Contrail, Redis ledger"),
  REDIS_PER_MESSAGE("e", "bare client, Redis EXISTS + SET"),
  BARE_ACK_SYNC("f", "bare client, ackSync");

  private final String id;
  private final String title;

  Contender(String id, String title) {
    this.id = id;
    this.title = title;
  }

  /** A letter, by which reports know it. */
  public String id() {
    return id;
  }

  /** What it is, in a few words. */
  public String title() {
    return title;
  }

  /** Both, for people. */
  public String shown() {
    return "(" + id + ") " + title;
  }
}
