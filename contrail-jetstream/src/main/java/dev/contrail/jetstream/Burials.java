package dev.contrail.jetstream;

import dev.contrail.engine.InFlight;
import dev.contrail.evidence.DeadLetterId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The dead letters of messages that this consumer gives up. Where the message is a copy that a
 * replay published, the dead letter that was replayed is told of the new one before anybody may
 * terminate the copy: killed in between, the next delivery finds the new one and tells of it.
 */
final class Burials {
  private final Evidence evidence;
  private final DeadLetterStore deadLetters;
  private final CopyJudge judge;
  private final Tally tally;

  Burials(Evidence evidence, DeadLetterStore deadLetters, CopyJudge judge, Tally tally) {
    this.evidence = evidence;
    this.deadLetters = deadLetters;
    this.judge = judge;
    this.tally = tally;
  }

  DeadLetterId id(InFlight<Delivered> message) {
    return evidence.id(message);
  }

  /** Under which id the very message is dead, if it is. */
  CompletableFuture<Optional<DeadLetterId>> find(InFlight<Delivered> message) {
    Delivered delivered = message.message();
    return deadLetters
        .find(evidence.id(message), delivered.original())
        .thenCompose(
            found ->
                found.isPresent()
                    ? returned(delivered, found.get()).thenApply(told -> found)
                    : CompletableFuture.completedFuture(found));
  }

  /** Done when the dead letter is confirmed stored, whole; its id is the result. */
  CompletableFuture<DeadLetterId> write(InFlight<Delivered> message) {
    Delivered delivered = message.message();
    return deadLetters
        .write(evidence.of(message))
        .whenComplete((id, failure) -> tally.buried(failure == null))
        .thenCompose(id -> returned(delivered, id).thenApply(told -> id));
  }

  private CompletableFuture<Void> returned(Delivered delivered, DeadLetterId id) {
    if (!CopyJudge.claims(delivered)) {
      return CompletableFuture.completedFuture(null);
    }
    return judge
        .returned(delivered, id)
        .exceptionallyCompose(
            failure -> CompletableFuture.failedFuture(new OutcomeUntoldException(failure)));
  }
}
