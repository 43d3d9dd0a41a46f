package dev.contrail.operations.guard;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.operations.burial.Burial;
import dev.contrail.operations.burial.Corpse;
import dev.contrail.operations.stranded.GuardedMessage;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What a guard asks and does, in the order in which it does for each message. Answers are to
 * questions put after they were asked for.
 */
interface GuardPort {
  CompletableFuture<Optional<StreamFacts>> stream(String stream);

  /** Whether a ledger records that the consumer completed it. */
  CompletableFuture<Boolean> isCompleted(GuardedMessage message);

  CompletableFuture<Burial.Result> bury(Corpse corpse);

  /** Whether there is a dead letter of that id, or was one that somebody purged. */
  CompletableFuture<Boolean> isBuried(DeadLetterId id);

  /**
   * Writes the dead letter of a message that is gone, unless one is there.
   *
   * @param subject empty where it is not known
   * @return whether it was not there before
   */
  CompletableFuture<Boolean> buryGone(DeadLetterId id, Corpse corpse, String subject);

  CompletableFuture<Optional<ConsumerFacts>> consumer(String stream, String consumer);

  /** Deletes a message; false when it was gone. */
  CompletableFuture<Boolean> delete(String stream, long sequence);

  /** Acknowledges a message for a consumer that was given it. */
  CompletableFuture<Void> ack(
      GuardedMessage message, ConsumerFacts consumer, long deliveries, Instant publishedAt);
}
