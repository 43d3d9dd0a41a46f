package dev.contrail.operations.replay;

import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.EventStore;
import dev.contrail.operations.DeadLetters;
import dev.contrail.plan.Outlook;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanOptions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Drafts plans: what would be published where, what not, and what else would happen. */
final class Planner {
  private final ServerFacts facts;
  private final EventStore events;
  private final DeadLetters deadLetters;
  private final Repeats repeats;

  Planner(ServerFacts facts, EventStore events, DeadLetters deadLetters, Repeats repeats) {
    this.facts = facts;
    this.events = events;
    this.deadLetters = deadLetters;
    this.repeats = repeats;
  }

  /**
   * Drafts it.
   *
   * @param force whether also those are replayed whose last replay has no known outcome
   */
  Draft draft(List<Candidate> candidates, PlanOptions options, boolean force) {
    Destinations destinations = new Destinations(facts, options.to());
    List<Draft.Planned> planned = new ArrayList<>();
    List<Draft.LeftOut> leftOut = new ArrayList<>();
    Set<Destination> used = new LinkedHashSet<>();
    Set<String> heirs = new LinkedHashSet<>();
    BlankHeaders blanks = new BlankHeaders(deadLetters);
    for (Candidate candidate : candidates) {
      DeadLetterId id = candidate.summary().id();
      try {
        Destination destination =
            destinations.of(id, candidate.summary().subject(), candidate.summary().reason());
        Optional<String> objection = objection(candidate, destination, options, force);
        Optional<Long> bytes = objection.isPresent() ? Optional.empty() : bytes(candidate);
        if (bytes.isPresent()) {
          planned.add(planned(candidate, destination, bytes.get()));
          used.add(destination);
          heirs(destinations, id, destination).ifPresent(heirs::add);
          blanks.look(candidate.summary());
        } else {
          String gone = EntryReplay.gone(candidate.version());
          leftOut.add(new Draft.LeftOut(id, objection.orElse(gone)));
        }
      } catch (Destinations.NoDestinationException e) {
        leftOut.add(new Draft.LeftOut(id, String.valueOf(e.getMessage())));
      }
    }
    List<String> warnings = new ArrayList<>(heirs);
    warnings.addAll(warnings(destinations, used));
    blanks.warning().ifPresent(warnings::add);
    return new Draft(planned, leftOut, List.copyOf(warnings));
  }

  private static Optional<String> heirs(
      Destinations destinations, DeadLetterId id, Destination destination) {
    List<String> heirs = destinations.heirs(id, destination);
    return heirs.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "Consumer "
                + id.consumer()
                + " of "
                + destination.stream()
                + " does not take "
                + destination.subject()
                + " any more; who does gets the copies: "
                + String.join(", ", heirs)
                + ".");
  }

  private static Draft.Planned planned(Candidate candidate, Destination destination, long bytes) {
    DeadLetterId id = candidate.summary().id();
    PlanEntry entry = new PlanEntry(id, candidate.state().lastStep(), candidate.version());
    return new Draft.Planned(
        entry,
        destination.subject(),
        destination.stream(),
        destination.consumer(),
        new ReplayCopy(id, entry.lastStep() + 1).messageId(),
        bytes,
        destination.outlook(),
        candidate.state().version());
  }

  /** Of what would be published; empty where that is an edit that was emptied. */
  private Optional<Long> bytes(Candidate candidate) {
    int version = candidate.version();
    if (version == 0) {
      return Optional.of(candidate.summary().payloadBytes());
    }
    return candidate.supplied().isPresent()
        ? candidate.supplied()
        : Futures.get(events.payload(candidate.summary().id(), version))
            .map(payload -> (long) payload.length);
  }

  private Optional<String> objection(
      Candidate candidate, Destination destination, PlanOptions options, boolean force) {
    boolean open = candidate.state().status() == Status.OPEN;
    if (!open && !(force && mayBeRepeated(candidate, destination))) {
      return Optional.of(EntryReplay.notOpen(candidate.state(), lastStep(candidate)));
    }
    if (EntryReplay.isIncomplete(candidate.summary().redacted(), candidate.version())) {
      return Optional.of(EntryReplay.REDACTED);
    }
    return candidate.origin().replays() >= options.maxReplays()
        ? Optional.of(EntryReplay.tooOften(candidate.origin(), options.maxReplays()))
        : Optional.empty();
  }

  private boolean mayBeRepeated(Candidate candidate, Destination destination) {
    return candidate.state().isReplayUnderWay()
        && lastStep(candidate)
            .filter(step -> repeats.isOver(candidate.summary().id(), step, destination.outlook()))
            .isPresent();
  }

  private Optional<Event> lastStep(Candidate candidate) {
    return candidate.state().lastStep() == 0
        ? Optional.empty()
        : Futures.get(
            events.find(EventAddress.step(candidate.summary().id(), candidate.state().lastStep())));
  }

  private static List<String> warnings(Destinations destinations, Set<Destination> used) {
    Set<String> warnings = new LinkedHashSet<>();
    for (Destination destination : used) {
      List<String> bystanders = destinations.bystanders(destination);
      if (!bystanders.isEmpty()) {
        warnings.add(
            "Consumers of "
                + destination.stream()
                + " that are not known to be run by Contrail will see the copies too: "
                + String.join(", ", bystanders)
                + ".");
      }
      if (!destinations.hasReceiver(destination)) {
        warnings.add(
            destination.consumer().map(name -> "Consumer " + name).orElse("A consumer")
                + " of "
                + destination.stream()
                + " that would get the copies is not there: they wait for it.");
      }
      if (destination.outlook() == Outlook.UNKNOWN) {
        warnings.add(
            "What becomes of the copies will not be known: "
                + destination.consumer().map(name -> "consumer " + name).orElse("the consumer")
                + " is not run by Contrail, and "
                + destination.stream()
                + " keeps what is acknowledged.");
      }
    }
    return List.copyOf(warnings);
  }
}
