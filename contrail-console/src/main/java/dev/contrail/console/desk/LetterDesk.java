package dev.contrail.console.desk;

import dev.contrail.event.Event;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.Provision;
import dev.contrail.operations.DeadLetters;
import dev.contrail.operations.index.DeadLetterIndex;
import dev.contrail.operations.index.EntryFilter;
import dev.contrail.operations.index.Groups;
import dev.contrail.operations.index.Neighbours;
import dev.contrail.operations.index.NewestEntries;
import dev.contrail.operations.index.Page;
import dev.contrail.operations.index.PageRequest;
import dev.contrail.operations.replay.Edits;
import dev.contrail.operations.view.EntryQuery;
import dev.contrail.redaction.Redaction;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** Dead letters, as far as they may be seen. Thread-safe. */
public final class LetterDesk {
  private final Account account;
  private final DeadLetterIndex index;
  private final RememberedEach<String, Groups> groups = new RememberedEach<>(Desk.GLANCE);
  private final RememberedEach<Listed, Page> pages = new RememberedEach<>(Desk.GLANCE);
  private final DeadLetters letters;
  private final NewestEntries entries;
  private final EventStore events;
  private final Edits edits;
  private final Redaction redaction;

  public LetterDesk(Account account, DeadLetterIndex index, Redaction redaction) {
    this.account = account;
    this.index = index;
    this.redaction = redaction;
    this.letters = new DeadLetters(account.connection(), account.jetStream(), account.names());
    this.entries = new NewestEntries(account.connection(), account.jetStream(), account.names());
    this.events = new EventStore(account.connection(), account.jetStream(), account.names());
    this.edits =
        new Edits(account.connection(), account.jetStream(), account.names(), Provision.VERIFY);
  }

  /** Lists, groups and numbers come from here. */
  public DeadLetterIndex index() {
    return index;
  }

  private record Listed(String query, PageRequest request) {}

  /**
   * The groups that match, of this moment: open pages ask for the same again and again, all at
   * once.
   */
  public Groups groups(EntryQuery query, int stretches, Instant now) {
    return groups.get(
        stretches + " " + query.link(), () -> index.groups(query.filter(now), now, stretches), now);
  }

  /** A part of those that match, likewise. */
  public Page page(EntryQuery query, PageRequest request, Instant now) {
    return pages.get(
        new Listed(query.link(), request), () -> index.page(query.filter(now), request), now);
  }

  void expire(Instant now) {
    groups.expire(now);
    pages.expire(now);
  }

  /** What is blanked out of whatever is shown. */
  public Redaction redaction() {
    return redaction;
  }

  /**
   * All of one, as far as it may be seen; empty where there is none.
   *
   * @throws ContrailException when it cannot be read
   */
  public Optional<Letter> find(DeadLetterId id) {
    account.requireConnected();
    return letters.find(id).map(this::letter);
  }

  private Letter letter(DeadLetter letter) {
    EventStore.Listing history = history(letter.id());
    return new Letter(
        redaction.apply(letter),
        entries.state(letter.id()),
        history.events(),
        history.unreadable(),
        differences(letter.id(), history.events()));
  }

  private EventStore.Listing history(DeadLetterId id) {
    try {
      return events.events(id).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof ContrailException cause ? cause : e;
    }
  }

  private Map<Integer, List<String>> differences(DeadLetterId id, List<Event> history) {
    Map<Integer, List<String>> differences = new HashMap<>();
    for (Event event : history) {
      if (event.fact() instanceof Step.Edited edited) {
        edits
            .difference(id, edited.version(), redaction)
            .ifPresent(it -> differences.put(edited.version(), it.lines().toList()));
      }
    }
    return differences;
  }

  /**
   * A version of its payload as it may be seen, 0 being the original; empty where there is none.
   *
   * @throws ContrailException when it cannot be read
   */
  public Optional<byte[]> payload(DeadLetterId id, int version) {
    account.requireConnected();
    return edits.payload(id, version).map(redaction::apply);
  }

  /** Those next to it that died of the same. */
  public Neighbours neighbours(Letter letter) {
    String fingerprint = letter.letter().death().failure().fingerprint();
    return index.neighbours(
        EntryFilter.builder().fingerprint(fingerprint).build(), letter.letter().id());
  }
}
