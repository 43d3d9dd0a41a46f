package dev.contrail.operations.orphans;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.StreamMessages.Found;
import dev.contrail.operations.burial.Burial;
import dev.contrail.operations.burial.Corpse;
import dev.contrail.operations.stranded.ConsumerView;
import dev.contrail.operations.stranded.Observation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** What a reaper asks and does, in the order in which it does for each message. */
interface ReapPort {
  /** The consumers of a stream as they are now. */
  List<ConsumerView> consumers(String stream);

  /** The streams that copy from it now. */
  List<Observation.Reader> readers(String stream);

  /** The first of the names under which there is a dead letter of that message, or was one. */
  CompletableFuture<Optional<String>> filedUnder(List<String> names, String stream, Found message);

  CompletableFuture<Burial.Result> bury(Corpse corpse);

  /**
   * Hands the messages of dead letters over to another subject, each once.
   *
   * @return why not, for those that were not
   */
  Map<DeadLetterId, String> handOver(List<DeadLetterId> letters) throws InterruptedException;

  /** Closes an open dead letter. */
  CompletableFuture<Void> discard(DeadLetterId letter, String reason);

  /** Opens a dead letter that was discarded for one of these reasons, and for no other. */
  CompletableFuture<Void> reopen(DeadLetterId letter, Set<String> reasons);

  /** The message that has that sequence now. */
  CompletableFuture<Optional<Found>> at(String stream, long sequence);

  /** Deletes a message; false when it was gone. */
  CompletableFuture<Boolean> delete(String stream, long sequence);
}
