package dev.contrail.operations.replay;

import dev.contrail.jetstream.CopyPublisher;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.PlanStore;
import dev.contrail.operations.DeadLetters;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Clock;

/** Puts together what follows the outcomes of a plan. */
record Followings(
    Connection connection,
    JetStreamOptions options,
    Names names,
    EventStore events,
    CopyPublisher copies,
    DeadLetters deadLetters,
    ServerFacts facts,
    Clock clock) {
  /**
   * Begins to follow a plan from where it was stored.
   *
   * @param stop is set when an entry dies again of the same, if {@code stopOnReturn}
   */
  Following begin(
      PlanStore.Stored stored,
      Outcomes outcomes,
      String by,
      StopSign stop,
      RunListener listener,
      boolean stopOnReturn) {
    OutcomeWatch watch =
        new OutcomeWatch(connection, options, names, stored.sequence(), outcomes, listener::notice);
    boolean elsewhere = stored.head().options().to().isPresent();
    OutcomeTelling telling = new OutcomeTelling(outcomes, events, by, clock);
    CopyFacts seen = new CopyFacts(outcomes, facts, copies, events, elsewhere);
    Following following =
        new Following(
            outcomes,
            watch,
            new ForeignOutcomes(outcomes, facts, seen, telling, clock),
            new LostCopies(outcomes, facts, seen, events, telling),
            deadLetters,
            stop);
    if (stopOnReturn) {
      following.stopOnReturn();
    }
    // Only now: what comes back before anybody listens would be missed.
    watch.begin();
    return following;
  }
}
