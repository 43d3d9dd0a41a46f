package dev.contrail.jetstream;

import java.util.Arrays;
import java.util.Optional;

/** One of the streams and buckets in which Contrail keeps its state. */
public enum Store {
  /** Dead letters, whole. */
  DEAD_LETTERS(Kind.EVIDENCE, "dead letters, whole"),
  /** What was done with each dead letter. */
  EVENTS(Kind.EVIDENCE, "what was done with each dead letter"),
  /** Completed sequences. */
  LEDGER(Kind.EVIDENCE, "which messages are completed"),
  /** Advisories of the server, kept so that a guard that was down misses none. */
  ADVISORIES(Kind.INBOX, "what the server says it gave up on"),
  /** Who leads among guards and reapers. */
  LEASES(Kind.BUCKET, "who leads among guards and reapers"),
  /** Notes on messages that are retried beyond the delivery limit. */
  RETRIES(Kind.BUCKET, "notes on messages at their last chance"),
  /** What each worker is doing. */
  WORKERS(Kind.BUCKET, "what each worker is doing"),
  /** Which workers were told to pause, and by whom. */
  PAUSES(Kind.BUCKET, "which workers are told to pause"),
  /** Who may use the console, as hashes. */
  TOKENS(Kind.BUCKET, "who may use the console");

  enum Kind {
    /** Must never lose anything by itself. */
    EVIDENCE,
    /** Lets go of what nobody read for long. */
    INBOX,
    BUCKET
  }

  private final Kind kind;
  private final String purpose;

  Store(Kind kind, String purpose) {
    this.kind = kind;
    this.purpose = purpose;
  }

  /** What it holds, in a few words. */
  public String purpose() {
    return purpose;
  }

  /** The name of its stream; that of a bucket begins with {@code KV_}. */
  public String stream(Names names) {
    return kind == Kind.BUCKET ? "KV_" + name(names) : name(names);
  }

  /**
   * Whether it is the stream of one of them. By exact names: other streams that begin with the
   * prefix belong to somebody else.
   */
  public static boolean isOwn(String stream, Names names) {
    return Arrays.stream(values()).anyMatch(store -> store.stream(names).equals(stream));
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
      case PAUSES -> names.pausesBucket();
      case TOKENS -> names.tokensBucket();
    };
  }
}
