package dev.contrail.operations.replay;

import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.CopyPublisher.Fate;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.EventStore.Decision;
import dev.contrail.plan.Outlook;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanProgress;
import dev.contrail.redaction.Blanks;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Replays one entry of a plan: decides, publishes, tells. Killed after the decision, the next run
 * finds it as its own and goes on from there.
 */
final class EntryReplay {
  /** Why one is not replayed that is not what died. */
  static final String REDACTED =
      "something was blanked out of it before it was stored; give it a whole payload with contrail"
          + " dlq edit or --payload-file";

  private final RunContext run;
  private final EventStore events;
  private final Chains chains;
  private final Destinations destinations;
  private final Completed completed;
  private final CopySending sending;
  private final Deciding deciding;
  private final FailedReplay failed;
  private final AdoptedReplay adopted;
  private final UnsentReplay unsent;

  EntryReplay(
      RunContext run,
      ReplayPort port,
      EventStore events,
      Destinations destinations,
      Completed completed,
      CopySending sending) {
    this.run = run;
    this.events = events;
    this.chains = new Chains(events);
    this.destinations = destinations;
    this.completed = completed;
    this.sending = sending;
    this.deciding = new Deciding(run, port, events);
    this.failed = new FailedReplay(port::tell, events, run.by(), run.clock());
    this.adopted = new AdoptedReplay(run, port, events, failed);
    this.unsent = new UnsentReplay(run, deciding, chains, failed, adopted);
  }

  /** Whether a ledger tells that a message was processed after all. */
  interface Completed {
    boolean isCompleted(DeadLetterId id);
  }

  /**
   * One entry and its dead letter.
   *
   * @param ofContrail whether workers of Contrail run the consumer that failed
   */
  record Work(int index, PlanEntry entry, DeadLetter letter, boolean ofContrail) {}

  /** Begins with it. What blocks is asked before this returns, on the thread that calls. */
  CompletableFuture<EntryResult> replay(int index, PlanEntry entry, DeadLetter letter) {
    boolean ofContrail = destinations.isOfContrail(letter.id(), letter.death().reason());
    return replay(new Work(index, entry, letter, ofContrail));
  }

  private CompletableFuture<EntryResult> replay(Work work) {
    if (work.entry().version() == 0 && completed.isCompleted(work.entry().id())) {
      return unsent.complete(work);
    }
    // Also here: a plan may have been drafted by whoever did not look.
    if (isIncomplete(work.letter().redacted(), work.entry().version())) {
      return leftOut(work, REDACTED);
    }
    Destination destination;
    try {
      destination =
          destinations.of(
              work.letter().id(),
              work.letter().message().subject(),
              work.letter().death().reason());
    } catch (Destinations.NoDestinationException e) {
      return unsent.fail(work, String.valueOf(e.getMessage()));
    }
    // Before anything is decided: an edit may have been purged.
    return payload(work)
        .thenCompose(
            payload ->
                payload.isEmpty()
                    ? unsent.fail(work, gone(work.entry().version()))
                    : chains
                        .origin(work.letter(), work.entry().lastStep())
                        .thenCompose(origin -> replay(work, destination, payload.get(), origin)));
  }

  private CompletableFuture<Optional<byte[]>> payload(Work work) {
    return work.entry().version() == 0
        ? CompletableFuture.completedFuture(Optional.of(work.letter().message().payload()))
        : events.payload(work.entry().id(), work.entry().version());
  }

  private CompletableFuture<EntryResult> replay(
      Work work, Destination destination, byte[] payload, Origin origin) {
    int most = run.head().options().maxReplays();
    if (origin.replays() >= most) {
      return leftOut(work, tooOften(origin, most));
    }
    Step.Replay replay =
        new Step.Replay(
            run.head().plan(),
            destination.subject(),
            destination.stream(),
            destination.consumer(),
            work.entry().version(),
            origin.root(),
            origin.replays() + 1,
            Optional.of(destination.outlook() == Outlook.TOLD));
    Moment began = run.began().again();
    return deciding
        .decide(work, replay)
        .thenCompose(
            decision ->
                decision instanceof Decision.Taken taken
                    ? publish(work, destination, payload, taken.event(), false, began)
                    : goOn(work, destination, payload, ((Decision.Refused) decision).state()));
  }

  /** Whether what would be published is not what died, nor what somebody put in its place. */
  static boolean isIncomplete(boolean redacted, int version) {
    return redacted && version == 0;
  }

  /** Why one is not replayed whose edit was emptied. */
  static String gone(int version) {
    return "version "
        + version
        + " of its payload is gone; give it another one with contrail dlq edit or --payload-file";
  }

  static String tooOften(Origin origin, int most) {
    return "it was replayed "
        + origin.replays()
        + (origin.replays() == 1 ? " time" : " times")
        + " already, and --max-replays is "
        + most;
  }

  /** Somebody has decided on it before; perhaps an earlier run of this very plan. */
  private CompletableFuture<EntryResult> goOn(
      Work work, Destination destination, byte[] payload, EntryState state) {
    return deciding
        .lastStep(work, state)
        .thenCompose(
            step ->
                step.filter(deciding::isOwn).isPresent()
                    ? goOnOwn(work, destination, payload, step.get())
                    : leftOut(work, whyNot(work, state, step)));
  }

  private CompletableFuture<EntryResult> goOnOwn(
      Work work, Destination destination, byte[] payload, Event step) {
    Step.Replay replay = (Step.Replay) step.fact();
    // The copy says for whom it is as it was decided; elsewhere, others would run it, or nobody.
    Destination decided = destination.asDecided(replay);
    return destination.isOf(replay)
        ? adopted
            .lookAt(work, decided, step)
            .thenCompose(found -> goOn(work, decided, payload, step, found))
        : adopted.giveUp(work, step, destination.insteadOf(replay));
  }

  private CompletableFuture<EntryResult> goOn(
      Work work, Destination destination, byte[] payload, Event step, AdoptedReplay.Found found) {
    return found.known().isPresent()
        ? CompletableFuture.completedFuture(found.known().get())
        : publish(work, destination, payload, step, true, found.since());
  }

  private static String whyNot(Work work, EntryState state, Optional<Event> lastStep) {
    return state.status() == Status.OPEN && state.version() != work.entry().version()
        ? "it was edited after the plan was made"
        : notOpen(state, lastStep);
  }

  static String notOpen(EntryState state, Optional<Event> lastStep) {
    String plan =
        lastStep
            .filter(event -> event.fact() instanceof Step.Replay)
            .map(event -> " in plan " + ((Step.Replay) event.fact()).plan())
            .orElse("");
    String by = lastStep.map(event -> " by " + event.by()).orElse("");
    String as = state.returnedAs().map(id -> " as " + id).orElse("");
    return switch (state.status()) {
      case OPEN -> "somebody else decides on it at this moment";
      case REPLAYING -> "it is being replayed" + plan + by;
      case REPLAYED -> "it is replayed" + plan + by + ", and its outcome is not known";
      case RESOLVED -> "it is resolved" + plan;
      case RETURNED -> "it came back" + as;
      case COMPLETED -> "it was processed after all";
      case DISCARDED -> "it is discarded" + by + state.replay().map(EntryReplay::copy).orElse("");
      case PURGED -> "it is purged" + by;
    };
  }

  private static String copy(EntryState.Replay replay) {
    return replay.ended()
        ? ", and a copy of it was processed or came back"
        : ", and a copy of it may be processed yet";
  }

  private CompletableFuture<EntryResult> publish(
      Work work,
      Destination destination,
      byte[] payload,
      Event step,
      boolean perhapsSent,
      Moment since) {
    Step.Replay replay = (Step.Replay) step.fact();
    ReplayCopy copy = new ReplayCopy(work.entry().id(), step.address().step());
    return sending
        .send(
            new CopySending.Copy(
                copy,
                replay,
                destination,
                copy.headerBlock(replay, Blanks.headerBlock(work.letter())),
                payload,
                perhapsSent,
                since,
                0))
        .thenCompose(
            fate ->
                told(
                    replay.stream(), new Attempt(work.index(), copy, destination.outlook()), fate));
  }

  private CompletableFuture<EntryResult> told(String stream, Attempt attempt, Fate fate) {
    if (fate instanceof Fate.Stored stored) {
      return settled(
          new PlanProgress.Published(
              attempt.index(),
              attempt.copy().step(),
              stored.stream(),
              stored.sequence(),
              // For workers of another stream it is a message like any other.
              stored.stream().equals(stream) ? attempt.outlook() : Outlook.UNKNOWN));
    }
    if (fate instanceof Fate.Refused refused) {
      // Of one that workers know by its claim, an earlier run may have published a copy.
      return attempt.outlook() == Outlook.TOLD
          ? failed.tellPublished(attempt, refused.reason())
          : failed.tell(attempt, refused.reason());
    }
    return CompletableFuture.completedFuture(
        new EntryResult.Unsettled(attempt.index(), ((Fate.Unknown) fate).reason()));
  }

  static CompletableFuture<EntryResult> leftOut(Work work, String why) {
    return settled(new PlanProgress.LeftOut(work.index(), why));
  }

  private static CompletableFuture<EntryResult> settled(PlanProgress progress) {
    return CompletableFuture.completedFuture(new EntryResult.Settled(progress));
  }
}
