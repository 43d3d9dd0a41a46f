package dev.contrail.operations.replay;

import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Fact;
import dev.contrail.event.LegalSteps;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.EventStore.Decision;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.plan.Outlook;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What one person decides about dead letters beside replaying them. Each decision is an event of
 * the dead letter, written once: of two who decide at the same moment one is told that the other
 * was first.
 */
public final class Decisions {
  private final EventStore events;
  private final Erasure erasure;
  private final Provisioning provisioning;
  private final String by;
  private final boolean force;
  private boolean provisioned;

  /** Where tests put something in between. */
  Clock clock = Clock.systemUTC();

  /**
   * Of that person.
   *
   * @param force whether also that is done which {@link LegalSteps} allows only so
   */
  public Decisions(
      Connection connection,
      JetStreamOptions options,
      Names names,
      Provision provision,
      String by,
      boolean force) {
    this.events = new EventStore(connection, options, names);
    this.erasure = new Erasure(connection, options, names);
    this.provisioning = new Provisioning(connection, options, InitPlan.of(names), provision);
    this.by = by;
    this.force = force;
  }

  /** Whether that may be decided on a dead letter in that state, by this person. */
  public boolean isLegal(Status status, Step.Kind step) {
    LegalSteps.Answer answer = LegalSteps.answer(status, step);
    return answer == LegalSteps.Answer.YES || (answer == LegalSteps.Answer.IF_FORCED && force);
  }

  /**
   * It is to stay as it is.
   *
   * @return why that cannot be decided; empty when it is
   * @throws ContrailException when it cannot be written down
   */
  public Optional<String> discard(DeadLetterId id, String reason) {
    return take(id, new Step.Discarded(reason));
  }

  /**
   * It is open again.
   *
   * @return why that cannot be decided; empty when it is
   * @throws ContrailException when it cannot be written down
   */
  public Optional<String> restore(DeadLetterId id) {
    if (force) {
      provision();
      bar(id);
    }
    return take(id, new Step.Restored());
  }

  /** Keeps workers from a copy that is under way: beside the next one it would be run too. */
  private void bar(DeadLetterId id) {
    EntryState state = Futures.get(events.state(id));
    Optional<EntryState.Replay> pending = state.replay().filter(it -> !it.ended());
    if (pending.isPresent() && state.status() == Status.DISCARDED) {
      ReplayCopy copy = new ReplayCopy(id, pending.get().step());
      var unused =
          Futures.get(
              new FailedReplay(events::create, events, by, clock)
                  .tellPublished(new Attempt(0, copy, Outlook.TOLD), "it was given up"));
    }
  }

  /**
   * Writes something down beside it.
   *
   * @throws ContrailException when it cannot be written down
   */
  public void note(DeadLetterId id, String text) {
    provision();
    EventAddress address = EventAddress.note(id, UUID.randomUUID().toString());
    Futures.get(events.create(new Event(address, clock.instant(), by, new Fact.Note(text))));
  }

  /**
   * Deletes it for good. Its events stay, less the payloads in them.
   *
   * @return why that cannot be decided; empty when it is gone
   * @throws ContrailException when it cannot be written down or deleted
   */
  public Optional<String> purge(DeadLetterSummary letter) {
    DeadLetterId id = letter.id();
    if (Futures.get(events.state(id)).status() != Status.PURGED) {
      Optional<String> refusal =
          take(id, new Step.Purged(letter.publishedAt(), letter.payloadSha256()));
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    // The tombstone comes first and the head goes last: killed in between, the dead letter is still
    // listed, and to purge it again brings it to an end.
    // Read after the tombstone, behind which nobody edits any more: somebody may have before it.
    erasure.edits(id, Futures.get(events.state(id)));
    erasure.parts(id);
    erasure.head(id);
    return Optional.empty();
  }

  private Optional<String> take(DeadLetterId id, Step step) {
    provision();
    EventStore.Decider decider = new EventStore.Decider(by, clock.instant(), force);
    return Futures.get(events.take(id, step, decider)) instanceof Decision.Refused refused
        ? Optional.of(refusal(id, refused))
        : Optional.empty();
  }

  private String refusal(DeadLetterId id, Decision.Refused refused) {
    EntryState state = refused.state();
    String why =
        state.status() == Status.OPEN
            ? "it is open"
            : EntryReplay.notOpen(
                state, Futures.get(events.find(EventAddress.step(id, state.lastStep()))));
    return refused.answer() == LegalSteps.Answer.IF_FORCED
        ? why + "; --force does it all the same"
        : why;
  }

  private void provision() {
    if (!provisioned) {
      provisioning.ensure(List.of(Store.EVENTS));
      provisioned = true;
    }
  }
}
