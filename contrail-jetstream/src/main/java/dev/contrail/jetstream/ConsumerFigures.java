package dev.contrail.jetstream;

import dev.contrail.engine.StoreKind;
import dev.contrail.engine.WorkerStatus;
import java.time.Duration;
import java.util.Optional;

/** What a consumer counts and knows of itself. Read from any thread, at no cost to the work. */
public interface ConsumerFigures {
  String stream();

  String consumer();

  /** What it has done and is doing, as of a moment ago. */
  WorkerStatus status();

  /** How often that was told since the start. */
  long told(ConsumerNotice.Kind kind);

  /** How many retries came sooner than the handler asked for, since the delay was too long. */
  long delaysShortened();

  /** How often the ledger could not confirm completions; they are held and recorded later. */
  long commitsFailed();

  /** How many dead letters were confirmed stored. */
  long deadLettersStored();

  /** How often a dead letter could not be stored; the message is held and it is tried again. */
  long deadLettersFailed();

  /** Whether messages are held since this cannot be used. */
  boolean isDown(StoreKind store);

  /** How much of MaxAckPending all workers of the consumer use, when it was last looked at. */
  Optional<AckPending> ackPending();

  /**
   * By how much the ledger keeps completions longer than a message may come again; negative where
   * it forgets too early. Empty for one that does not forget by time, and without a ledger.
   */
  Optional<Duration> ledgerHeadroom();

  /**
   * Messages delivered and not settled.
   *
   * @param most MaxAckPending; not above 0 when there is no limit
   */
  record AckPending(long messages, long most) {}
}
