package dev.contrail.cli.drill.own;

import dev.contrail.cli.drill.account.Letter;
import dev.contrail.cli.drill.place.Observer;
import dev.contrail.cli.drill.place.Published;
import dev.contrail.ledger.SequenceSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All that can be known of a worker that is not Contrail's.
 *
 * @param sampled whether the consumer still is the one that the drill made, of whose acks the
 *     server tells
 * @param letters dead letters of Contrail, if it was Contrail after all
 * @param completed what Contrail's ledger holds, if there is one
 * @param settled whether nothing waits to be delivered or answered for
 */
record OwnFacts(
    List<Published> published,
    Reports reports,
    Map<Long, Observer.Acked> acked,
    Set<Long> terminated,
    boolean sampled,
    Map<Long, Letter> letters,
    SequenceSet completed,
    SequenceSet present,
    boolean settled) {}
