package dev.contrail.operations.transfer;

import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Fact;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.DeadLetterArchive;
import dev.contrail.jetstream.DeadLetterArchive.Stored;
import dev.contrail.jetstream.DeadLetterArchive.StoredEvent;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.PlanStore;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * Stores dead letters that came from elsewhere under the ids that they have. To import the same
 * again changes nothing, and brings to an end what was killed.
 */
public final class Importer {
  private static final String UNDER_WAY =
      "it was imported while this replay was under way elsewhere; what became of that copy is not"
          + " known here";

  private final DeadLetterArchive archive;
  private final EventStore events;
  private final PlanStore plans;
  private final String from;
  private final String by;
  private final Clock clock = Clock.systemUTC();

  /**
   * To an installation, whose streams are made where they are missing and that is allowed.
   *
   * @param from where the dead letters come from, for their history
   * @param by who imports them
   * @throws ContrailException when a stream is missing or unfit
   */
  public Importer(
      Connection connection,
      JetStreamOptions options,
      Names names,
      Provision provision,
      String from,
      String by) {
    new Provisioning(connection, options, InitPlan.of(names), provision)
        .ensure(List.of(Store.DEAD_LETTERS, Store.EVENTS));
    this.archive = new DeadLetterArchive(connection, options, names);
    this.events = new EventStore(connection, options, names);
    this.plans = new PlanStore(connection, options, names);
    this.from = from;
    this.by = by;
  }

  /** What came of one. */
  public enum Result {
    IMPORTED,
    /**
     * It is imported, or its history is, and it is open here: where it comes from a replay of it
     * was under way, of which nobody here can tell what becomes.
     */
    REOPENED,
    /** It was there, with this history. */
    THERE,
    /** Another dead letter has its id; nothing was changed. */
    OTHER_LETTER,
    /** Something else was decided on it here; nothing was changed. */
    OTHER_HISTORY,
    /** The payload of an edit is neither in the file nor here; nothing was changed. */
    PAYLOAD_MISSING
  }

  /**
   * Imports one.
   *
   * @throws ContrailException when it cannot be stored
   */
  public Result store(ExportedEntry entry) {
    DeadLetterId id = entry.letter().id();
    Optional<Stored> before = Answers.of(archive.find(entry.letter()));
    if (before.isPresent() && before.get() == Stored.ANOTHER_IS_THERE) {
      return Result.OTHER_LETTER;
    }
    Histories histories = new Histories(Answers.of(archive.events(id)), entry.events());
    Optional<List<StoredEvent>> missing = histories.missing();
    if (missing.isEmpty()) {
      return Result.OTHER_HISTORY;
    }
    if (before.isPresent() && Answers.of(events.state(id)).status() == Status.PURGED) {
      // A purge is on its way; what it has taken away is not given back under its hands.
      return Result.THERE;
    }
    if (!histories.isWhole()) {
      return Result.PAYLOAD_MISSING;
    }
    // First what was decided, then the dead letter: killed in between it is not there yet. The
    // other way round it would be there as if it were open, for anybody to replay again.
    if (!write(missing.get(), histories.emptied())) {
      return Result.OTHER_HISTORY;
    }
    boolean reopened = endReplay(entry);
    if (before.isPresent()) {
      return reopened ? Result.REOPENED : Result.THERE;
    }
    say(id);
    if (Answers.of(archive.store(entry.letter())) == Stored.ANOTHER_IS_THERE) {
      return Result.OTHER_LETTER;
    }
    return reopened ? Result.REOPENED : Result.IMPORTED;
  }

  /**
   * Ends a replay that another installation carries out: its plan is not here, nobody would ever
   * tell its outcome, and the entry could not be replayed again. Should its copy be in a stream
   * here all the same, workers are kept from running it beside the next; one that has begun with it
   * will tell the outcome.
   *
   * @return whether it is open since
   */
  private boolean endReplay(ExportedEntry entry) {
    DeadLetterId id = entry.letter().id();
    EntryState state = Answers.of(events.state(id));
    Optional<EntryState.Replay> pending = state.replay().filter(replay -> !replay.ended());
    if (pending.isEmpty()) {
      return false;
    }
    int step = pending.get().step();
    Optional<Event> decided = Answers.of(events.find(EventAddress.step(id, step)));
    if (decided.isEmpty()
        || !(decided.get().fact() instanceof Step.Replay replay)
        || Answers.of(plans.find(replay.plan())).isPresent()) {
      return false;
    }
    if (isRunHere(entry, step)) {
      return false;
    }
    Event unknown =
        new Event(
            EventAddress.outcome(id, step),
            clock.instant(),
            by,
            new ReplayOutcome.Failed(UNDER_WAY));
    return Answers.of(events.create(unknown)) && state.isReplayUnderWay();
  }

  /** Whether a worker here has begun with the copy; if not, none will any more. */
  private boolean isRunHere(ExportedEntry entry, int step) {
    DeadLetterId id = entry.letter().id();
    Optional<Event> claim = Answers.of(events.claim(id, step));
    if (claim.isPresent() && !(claim.get().fact() instanceof Fact.Resent)) {
      return claim.get().fact() instanceof Fact.Run && !isFrom(entry, claim.get().address());
    }
    EventAddress turn = EventAddress.run(id, step, claim.isPresent() ? 2 : 1);
    Event bar = new Event(turn, clock.instant(), by, new Fact.Barred(UNDER_WAY));
    return !(Answers.of(events.createOrFind(bar)).fact() instanceof Fact.Barred);
  }

  private static boolean isFrom(ExportedEntry entry, EventAddress address) {
    return entry.events().stream().anyMatch(event -> event.address().equals(address));
  }

  /** Ends at the first in whose place somebody has written another meanwhile. */
  private boolean write(List<StoredEvent> missing, List<StoredEvent> emptied) {
    return missing.stream().allMatch(event -> Answers.of(archive.store(event)))
        && emptied.stream().allMatch(event -> Answers.of(archive.restore(event)));
  }

  /** Says where it comes from, unless an import that was killed has said so. */
  private void say(DeadLetterId id) {
    Step.Imported imported = new Step.Imported(from);
    EntryState state = Answers.of(events.state(id));
    Optional<Event> last =
        state.lastStep() == 0
            ? Optional.empty()
            : Answers.of(events.find(EventAddress.step(id, state.lastStep())));
    if (last.filter(step -> step.fact().equals(imported)).isEmpty()) {
      Answers.of(events.take(id, imported, new EventStore.Decider(by, clock.instant(), false)));
    }
  }
}
