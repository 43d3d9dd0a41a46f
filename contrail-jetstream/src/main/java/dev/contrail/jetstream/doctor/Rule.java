package dev.contrail.jetstream.doctor;

import static dev.contrail.jetstream.doctor.Severity.ERROR;
import static dev.contrail.jetstream.doctor.Severity.WARN;

/**
 * The rules of the doctor. A code never changes its meaning, and is not used again when its rule is
 * gone. Each has a page in {@code docs/doctor}.
 */
public enum Rule {
  LEDGER_FORGETS(
      "CT001",
      ERROR,
      "The ledger forgets before a message may come again",
      "a completed message that is delivered again after that is processed twice"),
  MAX_DELIVER_AT_LIMIT(
      "CT002",
      ERROR,
      "MaxDeliver at or below the delivery limit",
      "the server may strand a message before its dead letter is written"),
  MAX_DELIVER_SET(
      "CT003",
      WARN,
      "MaxDeliver on a consumer that Contrail works",
      "a message that outlives it in an outage is stranded without a dead letter"),
  BACKOFF_UNDER_WORKER(
      "CT004",
      ERROR,
      "BackOff on a consumer that Contrail works",
      "it overrides AckWait and adds to every retry delay"),
  ACKS_NOT_EXPLICIT(
      "CT005",
      ERROR,
      "A consumer that Contrail works without explicit acks",
      "acknowledging one message would acknowledge others, or none at all"),
  CONSUMER_UNFIT(
      "CT006",
      ERROR,
      "A consumer of a kind that no worker can use",
      "Contrail pulls whole messages, without priority groups"),
  OTHER_FILTERS(
      "CT007",
      ERROR,
      "The consumer filters something else than asked for",
      "the worker would get other messages than it was made for"),
  CONSUMER_FORGETS(
      "CT008",
      WARN,
      "The server may forget the consumer or its acks",
      "what was acknowledged is delivered again then"),
  DELIVERS_LESS(
      "CT009",
      WARN,
      "The consumer delivers less or later than the stream holds",
      "some of the stream's messages are not worked on"),
  OTHER_ACK_WAIT(
      "CT010",
      WARN,
      "AckWait is not the one asked for",
      "leases follow the server's, not the worker's"),
  FEW_ACKS_PENDING(
      "CT011",
      WARN,
      "MaxAckPending is small",
      "that many messages waiting for their retry stop all healthy work"),
  ACKS_PENDING_HIGH(
      "CT012",
      WARN,
      "Half of MaxAckPending is used",
      "at MaxAckPending all work stops without a word from the server"),
  ACKS_PENDING_FULL(
      "CT013",
      ERROR,
      "MaxAckPending is reached and nothing moves",
      "no other message is delivered, to nobody, until some are settled"),
  UNGUARDED_MAX_DELIVER(
      "CT014",
      WARN,
      "MaxDeliver without a guard",
      "a message that exhausts its deliveries stays in the stream, and nobody is told"),
  BACKOFF_FOR_ACK_WAIT(
      "CT015",
      WARN,
      "BackOff in the place of AckWait",
      "a handler that takes longer than the first step has its message delivered to another, and a"
          + " delayed NAK waits for its own delay and the step's"),
  NO_ACKS(
      "CT016",
      WARN,
      "A durable consumer without acks",
      "a message counts as processed when it is sent, so a crash loses it"),
  NAK_STORM(
      "CT017",
      WARN,
      "Messages are redelivered in a hot loop",
      "a plain NAK comes back at once: it burns the delivery limit and the server's time"),
  NO_ADVISORIES(
      "CT018",
      WARN,
      "Nobody captures the server's advisories",
      "that a message was given up is told once, and lost when nobody listens"),
  UNCLAIMED(
      "CT020",
      WARN,
      "Work that no consumer claims",
      "a workqueue keeps it until somebody acknowledges it, and nobody will"),
  OVERLAPPING(
      "CT021",
      ERROR,
      "Consumers of a workqueue overlap",
      "a message goes to both, and the first ack deletes it under the other"),
  FORGOTTEN_DURABLE(
      "CT022",
      WARN,
      "A forgotten durable holds messages",
      "an interest stream keeps every message until each durable has acknowledged it"),
  NO_INTEREST(
      "CT023",
      WARN,
      "Subjects without interest",
      "an interest stream throws away at once what no consumer takes"),
  NO_LIMIT(
      "CT024",
      WARN,
      "A stream without any limit",
      "it grows until the disk is full, and then every stream of the server stops"),
  UNREAD_WILL_GO(
      "CT025",
      ERROR,
      "A limit will delete what nobody has read",
      "the oldest goes first, read or not, and no dead letter is written"),
  FULL_SOON(
      "CT026",
      WARN,
      "A stream is nearly full",
      "it refuses new messages then, and publishers fail"),
  QUEUE_DISCARDS_OLD(
      "CT027",
      WARN,
      "A full queue deletes its oldest work",
      "with discard old the limit deletes work that nobody has done; with discard new the publisher"
          + " is told"),
  MAX_AGE_BELOW_RETRY(
      "CT028",
      WARN,
      "Max age is shorter than the longest retry",
      "a message that waits for its retry that long expires, so it is never tried again"),
  SHORT_DUPLICATE_WINDOW(
      "CT029",
      WARN,
      "The duplicate window is too short for a replay",
      "a replay cannot publish again after a lost answer, for consumers without a ledger would"
          + " process both"),
  SINGLE_REPLICA(
      "CT030",
      WARN,
      "One replica in a cluster",
      "the stream is away while its one server is, and lost with its disk"),
  MEMORY_STREAM(
      "CT031",
      WARN,
      "A stream in memory",
      "a restart of the server loses what it holds and hands out its sequences again"),
  STORE_MISSING(
      "CT040",
      ERROR,
      "A store of Contrail's is missing",
      "without it dead letters or completions cannot be stored, so work is held"),
  STORE_UNUSABLE(
      "CT041",
      ERROR,
      "A store of Contrail's cannot take what is written to it",
      "what cannot be stored is held, and work stops"),
  STORE_LOSES(
      "CT042",
      ERROR,
      "A store of Contrail's does not keep what it is given",
      "evidence must outlive restarts and readers"),
  STORE_FORGETS(
      "CT043",
      ERROR,
      "A store of Contrail's deletes by itself",
      "evidence never vanishes by itself"),
  STORE_TAKES_SMALL(
      "CT044",
      ERROR,
      "A store of Contrail's takes small messages only",
      "a dead letter is as large as its message and more"),
  STORE_REPLICAS(
      "CT045",
      ERROR,
      "A store of Contrail's has fewer replicas than its source",
      "evidence must not be easier to lose than the stream it is about"),
  BUCKET_TTL(
      "CT046",
      ERROR,
      "A bucket of Contrail's forgets too soon or never",
      "notes must outlive the retry window, and leases must end"),
  NO_DEAD_LETTER_PERMISSION(
      "CT047",
      ERROR,
      "The user may not publish dead letters",
      "a message that dies is held for ever, since nothing is terminated without evidence"),
  KNOWN_LOSS(
      "CT050",
      ERROR,
      "A server version that loses messages",
      "it is a known fault of this server, mended in a later one"),
  SYNC_INTERVAL(
      "CT051",
      WARN,
      "One replica, and not synced at once",
      "a power loss takes what was confirmed within that time: messages, completions and dead"
          + " letters"),
  NOT_LOOKED_AT(
      "CT052", WARN, "A stream could not be looked at", "what is wrong with it is not known");

  private final String code;
  private final Severity severity;
  private final String title;
  private final String why;

  Rule(String code, Severity severity, String title, String why) {
    this.code = code;
    this.severity = severity;
    this.title = title;
    this.why = why;
  }

  /** Such as {@code CT001}. */
  public String code() {
    return code;
  }

  public Severity severity() {
    return severity;
  }

  /** What it is about, in a few words. */
  public String title() {
    return title;
  }

  /** What follows where it is broken; a sentence without its full stop. */
  public String why() {
    return why;
  }

  /** The code as sentences carry it, such as {@code [CT001]}. */
  public String tag() {
    return "[" + code + "]";
  }

  /** Its page, from the root of the project. */
  public String page() {
    return "docs/doctor/" + code + ".md";
  }
}
