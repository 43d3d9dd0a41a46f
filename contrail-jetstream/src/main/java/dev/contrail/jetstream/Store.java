package dev.contrail.jetstream;

import java.util.Optional;

/** One of the streams and buckets in which Contrail keeps its state. */
public enum Store {
  /** Dead letters, whole. */
  DEAD_LETTERS(Kind.EVIDENCE),
  /** What was done with each dead letter. */
  EVENTS(Kind.EVIDENCE),
  /** Completed sequences. */
  LEDGER(Kind.EVIDENCE),
  /** Advisories of the server, kept so that a guard that was down misses none. */
  ADVISORIES(Kind.INBOX),
  /** Who leads among guards and reapers. */
  LEASES(Kind.BUCKET),
  /** Notes on messages that are retried beyond the delivery limit. */
  RETRIES(Kind.BUCKET),
  /** What each worker is doing. */
  WORKERS(Kind.BUCKET);

  enum Kind {
    /** Must never lose anything by itself. */
    EVIDENCE,
    /** Lets go of what nobody read for long. */
    INBOX,
    BUCKET
  }

  private final Kind kind;

  Store(Kind kind) {
    this.kind = kind;
  }

  /** The name of its stream; that of a bucket begins with {@code KV_}. */
  public String stream(Names names) {
    return kind == Kind.BUCKET ? "KV_" + name(names) : name(names);
  }

  /** The name of the bucket, if it is one. */
  public Optional<String> bucket(Names names) {
    return kind == Kind.BUCKET ? Optional.of(name(names)) : Optional.empty();
  }

  Kind kind() {
    return kind;
  }

  private String name(Names names) {
    return switch (this) {
      case DEAD_LETTERS -> names.deadLetterStream();
      case EVENTS -> names.eventStream();
      case LEDGER -> names.ledgerStream();
      case ADVISORIES -> names.advisoryStream();
      case LEASES -> names.leasesBucket();
      case RETRIES -> names.retriesBucket();
      case WORKERS -> names.workersBucket();
    };
  }
}
