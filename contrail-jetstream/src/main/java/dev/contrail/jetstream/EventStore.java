package dev.contrail.jetstream;

import dev.contrail.event.EntryState;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.EventFormat;
import dev.contrail.event.Fact;
import dev.contrail.event.LegalSteps;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The events of dead letters in their stream. Each is written create-once, so that of two who
 * decide at the same moment one is first, and the other learns of it. Thread-safe; futures fail
 * with a {@link ContrailException} when the stream cannot be used.
 */
public final class EventStore {
  private static final byte[] NO_BYTES = {};

  private final JetStreamApi api;
  private final Names names;

  public EventStore(Connection connection, JetStreamOptions jetStream, Names names) {
    this(new JetStreamApi(connection, jetStream), names);
  }

  EventStore(JetStreamApi api, Names names) {
    this.api = api;
    this.names = names;
  }

  /**
   * Who decides, and when.
   *
   * @param force whether a step is taken that {@link LegalSteps} allows only so
   */
  public record Decider(String by, Instant at, boolean force) {}

  /** What came of a decision. */
  public sealed interface Decision {
    /**
     * The step is stored.
     *
     * @param before the state that it was decided on
     */
    record Taken(Event event, EntryState before) implements Decision {}

    /** It may not be taken in that state, and nothing is stored. */
    record Refused(EntryState state, LegalSteps.Answer answer) implements Decision {}
  }

  /**
   * Events of a dead letter in the order in which they were stored.
   *
   * @param unreadable a sentence for each that cannot be read; such an event hides no other
   */
  public record Listing(List<Event> events, List<String> unreadable) {}

  /** Stores it, unless an event is stored there: false then, also where that is the same. */
  public CompletableFuture<Boolean> create(Event event) {
    return create(event, NO_BYTES);
  }

  private CompletableFuture<Boolean> create(Event event, byte[] body) {
    return api.create(
            names.eventStream(),
            event.address().subject(names.prefix()),
            EventFormat.encode(event),
            body)
        .thenApply(stored -> true)
        .exceptionallyCompose(
            failure ->
                JetStreamApi.errorCode(failure) == JetStreamApi.WRONG_LAST_SEQUENCE
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(failure));
  }

  /** Stores it, unless an event is stored there; the result is what is stored. */
  public CompletableFuture<Event> createOrFind(Event event) {
    return create(event)
        .thenCompose(
            stored ->
                stored
                    ? CompletableFuture.completedFuture(event)
                    : find(event.address())
                        .thenApply(
                            found ->
                                found.orElseThrow(
                                    () ->
                                        new ContrailException(
                                            "an event on "
                                                + event.address().subject(names.prefix())
                                                + " was there and is gone"))));
  }

  /** The event stored there; empty where there is none, nor a stream that could hold it. */
  public CompletableFuture<Optional<Event>> find(EventAddress address) {
    return stored(address)
        .thenApply(found -> found.map(it -> EventFormat.decode(address, it.headers())));
  }

  /**
   * Takes the next step, if that is legal.
   *
   * @param known the state to begin with, which may be old: somebody who decided since is noticed
   * @param step what to do in that state; asked again when the state is another
   * @param body of the event; that of {@link Step.Edited#body} for an edit
   */
  public CompletableFuture<Decision> take(
      DeadLetterId entry,
      EntryState known,
      Function<EntryState, Step> step,
      byte[] body,
      Decider decider) {
    return takeIf(entry, known, state -> Optional.of(step.apply(state)), body, decider);
  }

  /** The same; refused where {@code step} is empty for the state that the entry is in. */
  public CompletableFuture<Decision> takeIf(
      DeadLetterId entry,
      EntryState known,
      Function<EntryState, Optional<Step>> step,
      byte[] body,
      Decider decider) {
    Optional<Step> next = step.apply(known);
    LegalSteps.Answer answer =
        next.map(it -> LegalSteps.answer(known, it.stepKind())).orElse(LegalSteps.Answer.NO);
    boolean legal =
        answer == LegalSteps.Answer.YES
            || (answer == LegalSteps.Answer.IF_FORCED && decider.force());
    if (!legal) {
      return CompletableFuture.completedFuture(new Decision.Refused(known, answer));
    }
    EventAddress address = EventAddress.step(entry, known.lastStep() + 1);
    Event event = new Event(address, decider.at(), decider.by(), next.orElseThrow());
    return create(event, body)
        .thenCompose(
            stored ->
                stored
                    ? CompletableFuture.completedFuture(new Decision.Taken(event, known))
                    : someoneWasFirst(event, known, step, body, decider));
  }

  private CompletableFuture<Decision> someoneWasFirst(
      Event event,
      EntryState known,
      Function<EntryState, Optional<Step>> step,
      byte[] body,
      Decider decider) {
    return find(event.address())
        .thenCompose(
            found ->
                // Perhaps an earlier try of this very step, whose answer was lost.
                found.filter(event::equals).isPresent()
                    ? CompletableFuture.completedFuture(new Decision.Taken(event, known))
                    : state(event.address().entry())
                        .thenCompose(
                            now -> takeIf(event.address().entry(), now, step, body, decider)));
  }

  /** The same from the state that the entry is in. */
  public CompletableFuture<Decision> take(DeadLetterId entry, Step step, Decider decider) {
    return state(entry).thenCompose(now -> take(entry, now, any -> step, NO_BYTES, decider));
  }

  /**
   * How it stands with an entry. Found out with a few reads of single subjects, whose cost does not
   * grow with the stream; that a copy is published is known from its claim to be run alone.
   */
  public CompletableFuture<EntryState> state(DeadLetterId entry) {
    return after(entry, EntryState.NEW);
  }

  private CompletableFuture<EntryState> after(DeadLetterId entry, EntryState state) {
    return find(EventAddress.step(entry, state.lastStep() + 1))
        .thenCompose(
            step ->
                step.isPresent()
                    ? after(entry, state.after(step.get()))
                    : withOutcome(entry, state));
  }

  private CompletableFuture<EntryState> withOutcome(DeadLetterId entry, EntryState state) {
    if (state.replay().isEmpty()) {
      return CompletableFuture.completedFuture(state);
    }
    int replay = state.replay().get().step();
    return claim(entry, replay)
        .thenApply(claim -> claim.map(state::after).orElse(state))
        .thenCompose(
            so ->
                find(EventAddress.outcome(entry, replay))
                    .thenApply(outcome -> outcome.map(so::after).orElse(so)));
  }

  /**
   * The first {@link Fact.Run} or {@link Fact.Barred} of the replay of a step; what else was
   * claimed where there is neither.
   */
  public CompletableFuture<Optional<Event>> claim(DeadLetterId entry, int step) {
    return find(EventAddress.run(entry, step, 1))
        .thenCompose(
            first ->
                first.isPresent() && first.get().fact() instanceof Fact.Resent
                    ? find(EventAddress.run(entry, step, 2))
                        .thenApply(next -> next.isPresent() ? next : first)
                    : CompletableFuture.completedFuture(first));
  }

  /** When the server stored that event; empty where there is none. */
  public CompletableFuture<Optional<Instant>> storedAt(EventAddress address) {
    return stored(address).thenApply(found -> found.map(StoredMessage::time));
  }

  /** How the replay of a step ended; empty while that is not known. */
  public CompletableFuture<Optional<ReplayOutcome>> outcome(DeadLetterId entry, int step) {
    return find(EventAddress.outcome(entry, step))
        .thenApply(event -> event.map(it -> (ReplayOutcome) it.fact()));
  }

  /**
   * The payload of that version; empty where there is none, also when it was taken from its event.
   */
  public CompletableFuture<Optional<byte[]>> payload(DeadLetterId entry, int version) {
    return ofEdit(entry, version, 1, Step.Edited::payloadIn);
  }

  /** What that version changed; empty where that is not stored, or was taken from its event. */
  public CompletableFuture<Optional<String>> difference(DeadLetterId entry, int version) {
    return ofEdit(entry, version, 1, Step.Edited::differenceIn);
  }

  private <T> CompletableFuture<Optional<T>> ofEdit(
      DeadLetterId entry,
      int version,
      int number,
      BiFunction<Step.Edited, byte[], Optional<T>> part) {
    EventAddress address = EventAddress.step(entry, number);
    return stored(address)
        .thenCompose(
            found -> {
              if (found.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.empty());
              }
              Event step = EventFormat.decode(address, found.get().headers());
              return step.fact() instanceof Step.Edited edited && edited.version() == version
                  ? CompletableFuture.completedFuture(part.apply(edited, found.get().data()))
                  : ofEdit(entry, version, number + 1, part);
            });
  }

  /** All events of an entry. */
  public CompletableFuture<Listing> events(DeadLetterId entry) {
    return api.subjects(names.eventStream(), EventAddress.subjectsOf(names.prefix(), entry))
        .thenCompose(
            subjects -> {
              List<CompletableFuture<Optional<StoredMessage>>> reads =
                  subjects.stream().map(subject -> api.last(names.eventStream(), subject)).toList();
              return CompletableFuture.allOf(reads.toArray(CompletableFuture<?>[]::new))
                  .thenApply(
                      done ->
                          EventListings.of(
                              names.prefix(),
                              reads.stream().flatMap(read -> read.join().stream())));
            })
        .exceptionallyCompose(
            failure -> JetStreamApi.withoutStream(failure, new Listing(List.of(), List.of())));
  }

  private CompletableFuture<Optional<StoredMessage>> stored(EventAddress address) {
    return api.last(names.eventStream(), address.subject(names.prefix()))
        .exceptionallyCompose(failure -> JetStreamApi.withoutStream(failure, Optional.empty()));
  }
}
