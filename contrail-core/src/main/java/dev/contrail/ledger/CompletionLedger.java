package dev.contrail.ledger;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Remembers which messages a consumer has completed, so that none is processed a second time. It is
 * asked before a message is run and told before it is acked.
 *
 * <p>All methods may be called from any thread, return at once, and take batches of any size. What
 * fails is asked again by the caller, for as long as it takes: an implementation need not retry,
 * but it must answer every call in the end, for messages are held until it does.
 */
public interface CompletionLedger extends AutoCloseable {
  /**
   * Which of the messages are completed. The answer covers every completion that was confirmed to
   * whatever worker of the consumer before this was called; it must never come from an older state,
   * nor name a message that merely has the sequence of one that was completed.
   *
   * @return the positions in {@code messages} of those that are; failed when that is not known
   */
  CompletionStage<BitSet> completed(List<? extends LedgerEntry> messages);

  /**
   * Records that the messages are completed. Recording one again is harmless.
   *
   * @return done when they are stored and any {@link #completed} from then on says so; failed when
   *     it is not known whether they are
   */
  CompletionStage<Void> record(List<? extends LedgerEntry> messages);

  /**
   * Why this ledger cannot keep its promise for a consumer that may deliver a message again as late
   * as {@code effectiveAckWait} after it was completed; empty when it can. Asked at the start,
   * which is refused then, and at least every minute, for the settings of a consumer may be changed
   * under its workers: until there is no objection any more, nothing is pulled.
   */
  default Optional<String> objection(Duration effectiveAckWait) {
    return Optional.empty();
  }

  /**
   * By how much this ledger keeps completions longer than a message of such a consumer may come
   * again; negative when it forgets too early. Empty for one that does not forget by time.
   */
  default Optional<Duration> headroom(Duration effectiveAckWait) {
    return Optional.empty();
  }

  /** Lets go of what it holds. Calls under way fail. */
  @Override
  void close();
}
