package dev.contrail.operations.burial;

import dev.contrail.evidence.Reason;
import java.time.Instant;
import java.util.Optional;

/**
 * A message that nobody will process, as whoever found it knows it.
 *
 * @param consumer {@link dev.contrail.evidence.DeadLetterId#ORPHAN} where no consumer claims it
 * @param deliveries how often the server had delivered it, as far as that is known
 * @param kind of failure, in one word; it stands where a handler's exception would
 * @param why in one sentence
 * @param diedAt when it was found dead, as it is written down
 * @param publishedBefore a message that was published later is another with the same sequence
 */
public record Corpse(
    String stream,
    String consumer,
    long sequence,
    Reason reason,
    long deliveries,
    String kind,
    String why,
    Instant diedAt,
    Optional<Instant> publishedBefore) {}
