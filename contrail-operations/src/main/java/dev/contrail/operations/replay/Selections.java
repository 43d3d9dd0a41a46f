package dev.contrail.operations.replay;

import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.EventFormat;
import dev.contrail.event.Status;
import dev.contrail.event.UnreadableEventException;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.PlanStore;
import dev.contrail.jetstream.RawHeaders;
import dev.contrail.operations.DeadLetters;
import dev.contrail.operations.StreamReading;
import dev.contrail.operations.index.EntryFilter;
import dev.contrail.operations.index.PlanProgressLookup;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.OrderedConsumerConfiguration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Chooses dead letters to be replayed, the oldest first. */
public final class Selections {
  private static final int NO_STEP = 0;

  private final DeadLetters deadLetters;
  private final EventStore events;
  private final Chains chains;
  private final ServerFacts facts;
  private final StreamReading eventReading;
  private final PlanProgressLookup plans;
  private final Names names;

  public Selections(Connection connection, JetStreamOptions options, Names names) {
    this.names = names;
    this.deadLetters = new DeadLetters(connection, options, names);
    this.events = new EventStore(connection, options, names);
    this.chains = new Chains(events);
    this.facts = new ServerFacts(connection, options, names);
    this.plans = new PlanProgressLookup(new PlanStore(connection, options, names));
    this.eventReading = new StreamReading(connection, options, names.eventStream());
  }

  /**
   * One by its id; empty where there is none.
   *
   * @throws ContrailException when that cannot be found out
   */
  public Optional<Candidate> find(DeadLetterId id) {
    return deadLetters.find(id).map(this::candidate);
  }

  /**
   * How it stands with one, found out without its parts, which a purge that was killed may have
   * deleted; empty where there is none.
   *
   * @throws ContrailException when that cannot be found out
   */
  public Optional<Standing> standing(DeadLetterId id) {
    return facts
        .summary(id)
        .map(summary -> new Standing(summary, Futures.get(events.state(summary.id()))));
  }

  private Candidate candidate(DeadLetter letter) {
    EntryState state = Futures.get(events.state(letter.id()));
    return new Candidate(
        DeadLetterSummary.of(letter), state, Futures.get(chains.origin(letter, state.lastStep())));
  }

  /**
   * All that the filter accepts.
   *
   * @param unreadable is told a sentence for each that cannot be read
   * @throws ContrailException when the dead letters or their events cannot be read
   */
  public List<Candidate> matching(EntryFilter filter, Consumer<String> unreadable)
      throws InterruptedException {
    var listing = deadLetters.list(filter.stream(), filter.consumer());
    listing.unreadable().forEach(unreadable);
    EntryStates states = states(filter, unreadable);
    Map<DeadLetterId, Integer> published = filter.isByState() ? published(states) : Map.of();
    List<Candidate> candidates = new ArrayList<>();
    for (DeadLetterSummary summary : listing.entries()) {
      DeadLetterId id = summary.id();
      EntryState state = states.state(id);
      Status shown = state.published(published.getOrDefault(id, NO_STEP)).status();
      if (filter.acceptsFacts(summary) && filter.accepts(shown)) {
        candidates.add(new Candidate(summary, state, states.origin(id)));
      }
    }
    Collections.reverse(candidates);
    return candidates;
  }

  /** What lists go by as well: a plan knows of copies before any worker has met them. */
  private Map<DeadLetterId, Integer> published(EntryStates states) {
    Map<DeadLetterId, Integer> published = new HashMap<>();
    states.replayingPlans().forEach(plan -> published.putAll(plans.published(plan)));
    return published;
  }

  private EntryStates states(EntryFilter filter, Consumer<String> unreadable)
      throws InterruptedException {
    EntryStates states = new EntryStates();
    if (facts.stream(names.eventStream()).isPresent()) {
      eventReading.read(
          // A chain leads from dead letter to dead letter of one consumer.
          names.eventSubjects(filter.stream().orElse("*"), filter.consumer().orElse("*")),
          new OrderedConsumerConfiguration().deliverPolicy(DeliverPolicy.All).headersOnly(true),
          message -> event(message, unreadable).ifPresent(states::add));
    }
    return states;
  }

  private Optional<Event> event(Message message, Consumer<String> unreadable) {
    try {
      return EventAddress.ofSubject(names.prefix(), message.getSubject())
          .map(address -> EventFormat.decode(address, RawHeaders.headers(message)));
    } catch (UnreadableEventException e) {
      unreadable.accept(String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }
}
