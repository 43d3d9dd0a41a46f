package dev.contrail.operations.guard;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.operations.burial.Burial;
import dev.contrail.operations.burial.Corpse;
import dev.contrail.operations.stranded.GuardedMessage;
import java.time.Instant;
import java.util.List;
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

  /** The first of the names under which there is a dead letter of that message, or was one. */
  CompletableFuture<Optional<String>> filedUnder(
      List<String> names, String stream, long sequence, Instant publishedAt);

  /**
   * Writes the dead letter of a message that is gone, unless one is there.
   *
   * @param subject empty where it is not known
   * @param notBefore it was published then or later, where that is known
   * @return its id, where it was not there before
   */
  CompletableFuture<Optional<DeadLetterId>> buryGone(
      DeadLetterId id, Corpse corpse, String subject, Optional<Instant> notBefore);

  CompletableFuture<Optional<ConsumerFacts>> consumer(String stream, String consumer);

  /** Who copies messages of a subject from a stream, where that can be told. */
  CompletableFuture<Copiers> copiers(String stream);

  /** Deletes a message; false when it was gone. */
  CompletableFuture<Boolean> delete(String stream, long sequence);

  /** Acknowledges a message for a consumer that was given it. */
  CompletableFuture<Void> ack(
      GuardedMessage message, ConsumerFacts consumer, long deliveries, Instant publishedAt);
}
