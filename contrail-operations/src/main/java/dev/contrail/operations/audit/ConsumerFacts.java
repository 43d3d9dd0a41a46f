package dev.contrail.operations.audit;

import dev.contrail.ledger.SequenceSet;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of a consumer and its messages.
 *
 * @param onRecord what the ledger, dead letters and events tell. Where they tell several things of
 *     a message, the first in the order of {@link Fate} counts
 * @param notAddressed messages that are not for it, for sure
 * @param takesAll whether its filter takes whatever the stream does
 * @param hasLedger whether there is a ledger of it in JetStream
 * @param position empty when there is no such consumer (any more)
 * @param takenByOthers how many messages others may have taken from the stream without a record, so
 *     that this consumer never saw them
 */
record ConsumerFacts(
    String name,
    Map<Fate, SequenceSet> onRecord,
    SequenceSet notAddressed,
    boolean takesAll,
    boolean hasLedger,
    Optional<Position> position,
    long takenByOthers) {
  /**
   * Where the server has it.
   *
   * @param delivered the last sequence it was given
   * @param deliveries how many deliveries there were, again ones too
   * @param ackFloor nothing up to this one is in flight
   * @param inFlight how many are delivered and not acknowledged; which, the server does not tell
   * @param maxDeliver zero when there is no limit
   */
  record Position(long delivered, long deliveries, long ackFloor, long inFlight, long maxDeliver) {}
}
