package dev.contrail.simulation;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * Versions of Contrail that are wrong in one respect, to see that the simulation notices. Each is
 * put in at a seam, by a few lines; nothing of it is in production code.
 */
public enum Mutant {
  TERM_FIRST("the term is sent before the dead letter is stored", MutatedPort.TermFirst::new),
  ACK_FIRST("the ack is sent before the completion is recorded", MutatedPort.AckFirst::new),
  ACK_IN_PARALLEL(
      "the ack is sent while the completion is being recorded", MutatedPort.AckInParallel::new),
  ACKED_FAILURES("what failed is acked instead of returned", MutatedPort.AckedFailures::new),
  NAK_IN_AN_OUTAGE(
      "what waits for the dead-letter store is returned when that is down",
      MutatedPort.NakInAnOutage::new),
  NO_EXTENSIONS("leases are not extended", MutatedPort.NoExtensions::new),
  LOST_INTENT("the delay that a handler chose gets lost", MutatedPort.LostIntent::new),
  NAK_WITHOUT_LEASE("a message whose lease is lost is returned", MutatedPort.NakWithoutLease::new),
  ACK_WITHOUT_LEASE("a message whose lease is lost is acked", MutatedPort.AckWithoutLease::new),
  SHORT_TTL("the ledger forgets after less than AckWait", MutatedLedger.ShortTtl::new),
  BLIND_ACK("what cannot be looked up is taken for completed", MutatedLedger.BlindAck::new),
  BLIND_RECORD("what cannot be recorded is taken for recorded", MutatedLedger.BlindRecord::new),
  LOCAL_LOOK_UPS(
      "a worker looks up what it recorded itself, without a barrier",
      MutatedLedger.LocalLookUps::new),
  CACHED_LOOK_UPS("a look-up is trusted for ever", MutatedLedger.CachedLookUps::new),
  SERVER_CAP(
      "MaxDeliver on the server is the delivery limit", world -> new MutatedWire.ServerCap(world)),
  NO_RETRY_WINDOW(
      "the delivery limit applies to transient failures too", MutatedWire.NoRetryWindow::new),
  OVERWRITTEN_DEAD_LETTERS(
      "dead letters are not written create-once", MutatedWire.OverwrittenDeadLetters::new),
  HEAD_FIRST("the head of a dead letter is written before its parts", MutatedWire.HeadFirst::new),
  PURGE_FIRST(
      "records of the ledger are purged before their snapshot is stored",
      MutatedWire.PurgeFirst::new),
  NO_NOTES("the last chance of a message is not noted", MutatedWire.NoNotes::new),
  COPY_FIRST("a copy is published before its replay is decided on", MutatedReplay.CopyFirst::new),
  NO_ATTEMPT_IN_ID(
      "copies of all replays of a dead letter have one id", MutatedReplay.NoAttemptInId::new),
  UNCLAIMED_COPIES("copies are run without a claim", MutatedReplay.UnclaimedCopies::new),
  OUTCOME_AFTER_ACK(
      "the outcome of a replay is told after the ack", MutatedReplay.OutcomeAfterAck::new),
  NAMELESS_OUTCOMES(
      "the outcome of a replay does not name the copy that was run",
      MutatedRecords.NamelessOutcomes::new),
  SKIPPED_FOR_ANOTHER(
      "a copy that is acked unrun is on record for another consumer",
      MutatedRecords.SkippedForAnother::new),
  LEDGER_MAX_AGE("the stream of the ledger has a MaxAge", MutatedRecords.LedgerMaxAge::new),
  GUARD_RELEASE_FIRST(
      "a guard deletes a message before its dead letter is stored", MutatedGuard.ReleaseFirst::new),
  GUARD_RELEASE_UNSEEN(
      "a guard deletes a message without another look at its consumer",
      MutatedGuard.ReleaseUnseen::new),
  GUARD_ACK_FIRST(
      "a guard acks an advisory before it has done what that calls for",
      MutatedGuard.AckFirst::new),
  GUARD_OVERWRITES(
      "the dead letters of guards are not written create-once", MutatedGuard.Overwrites::new);

  private final String meaning;

  @SuppressWarnings("ImmutableEnumChecker") // constructors, which hold nothing
  private final Function<World, Mutation> mutation;

  Mutant(String meaning, Function<World, Mutation> mutation) {
    this.meaning = meaning;
    this.mutation = mutation;
  }

  Mutation in(World world) {
    return mutation.apply(world);
  }

  /** What is wrong with it, in a sentence. */
  public String meaning() {
    return meaning;
  }

  /** As people write it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The one of that name, as people write it. */
  public static Optional<Mutant> labelled(String label) {
    for (Mutant mutant : values()) {
      if (mutant.label().equals(label)) {
        return Optional.of(mutant);
      }
    }
    return Optional.empty();
  }
}
