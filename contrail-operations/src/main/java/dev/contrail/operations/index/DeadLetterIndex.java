package dev.contrail.operations.index;

import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.EventFormat;
import dev.contrail.event.UnreadableEventException;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.EvidenceDecoder;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.PlanStore;
import dev.contrail.jetstream.RawHeaders;
import dev.contrail.plan.PlanAddress;
import dev.contrail.plan.UnreadablePlanException;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * All dead letters of an installation, searched in memory. It is built from headers alone, follows
 * what is stored from then on, and lets go of what is deleted. Thread-safe; made to be opened once
 * and asked often.
 */
public final class DeadLetterIndex implements AutoCloseable {
  private static final Duration CHECK_EVERY = Duration.ofSeconds(1);
  private static final int MOST_UNREADABLE = 1_000;

  private final Names names;
  private final IndexTable table = new IndexTable();
  private final StringPool strings = new StringPool();
  private final Set<String> unreadable = Collections.synchronizedSet(new LinkedHashSet<>());
  private final Set<String> plansWithNews = ConcurrentHashMap.newKeySet();
  private final PlanProgressLookup plans;
  private final FollowedStream deadLetters;
  private final FollowedStream events;
  private final ScheduledExecutorService checks;
  private volatile ReplayTotals replays = ReplayTotals.NONE;
  private volatile @Nullable String problem;

  private DeadLetterIndex(Connection connection, JetStreamOptions options, Names names) {
    this.names = names;
    this.plans = new PlanProgressLookup(new PlanStore(connection, options, names));
    this.deadLetters =
        new FollowedStream(
            connection,
            options,
            names.deadLetterStream(),
            this::deadLetter,
            table::drop,
            table::clearEntries);
    this.events =
        new FollowedStream(
            connection,
            options,
            names.eventStream(),
            this::event,
            // What was decided stays decided.
            gone -> {},
            table::clearStates);
    this.checks =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "contrail-index");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Begins to read. Questions are answered from what was read so far; {@link #awaitReady} waits
   * until that is all.
   *
   * @throws ContrailException when the dead-letter stream cannot be read
   */
  public static DeadLetterIndex open(Connection connection, JetStreamOptions options, Names names) {
    DeadLetterIndex index = new DeadLetterIndex(connection, options, names);
    try {
      index.deadLetters.open(true);
      index.events.open(false);
    } catch (RuntimeException e) {
      index.close();
      throw e;
    }
    var unused =
        index.checks.scheduleWithFixedDelay(
            index::check, CHECK_EVERY.toMillis(), CHECK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    return index;
  }

  /**
   * Waits until all that was there when it was opened is read.
   *
   * @return whether it is, in that time
   */
  public boolean awaitReady(Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    deadLetters.awaitCaughtUp(end);
    events.awaitCaughtUp(end);
    if (isRead()) {
      learnOfCopies();
    }
    return isRead();
  }

  private boolean isRead() {
    return deadLetters.isCaughtUp() && events.isCaughtUp();
  }

  /** How much of what was there when it was opened is read, from 0 to 1. */
  public double readSoFar() {
    return isRead() ? 1 : (deadLetters.readSoFar() + events.readSoFar()) / 2;
  }

  /** What keeps it from being up to date, in one sentence; empty while nothing does. */
  public Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  /** A part of the dead letters that the filter accepts. */
  public Page page(EntryFilter filter, PageRequest request) {
    synchronized (unreadable) {
      return table.page(filter, request, unreadable);
    }
  }

  /** How many the filter accepts. */
  public long count(EntryFilter filter) {
    return table.count(filter);
  }

  /** One by its id. */
  public Optional<IndexEntry> find(DeadLetterId id) {
    return table.find(id);
  }

  /**
   * Those that the filter accepts, by what they died of.
   *
   * @param now where the trends end
   * @param stretches of which trends are made
   */
  public Groups groups(EntryFilter filter, Instant now, int stretches) {
    return table.groups(filter, now, stretches);
  }

  /**
   * How many of those that the filter accepts died when, by reason.
   *
   * @param stretches in how many pieces the time is cut
   */
  public DeathCounts deaths(EntryFilter filter, Instant from, Instant to, int stretches) {
    return table.deaths(filter, from, to, stretches);
  }

  /** Those next to one among those that the filter accepts. */
  public Neighbours neighbours(EntryFilter filter, DeadLetterId id) {
    return table.neighbours(filter, id);
  }

  /**
   * The first dead letter of each group that ever was in this index, in the order of their coming.
   * A group stays known here when all of it is purged.
   *
   * @param without so many, which were asked for before
   */
  public List<IndexEntry> groupsBegun(int without) {
    return table.groupsBegun(without);
  }

  /** How many are open, by stream and reason in their order. */
  public List<OpenTotal> openTotals() {
    return table.openTotals();
  }

  /** How many there are, by stream and state in their order. */
  public List<StateTotal> stateTotals() {
    return table.stateTotals();
  }

  /** What became of replays, of all that was told since this was up to date; only grows. */
  public ReplayTotals replayTotals() {
    return replays;
  }

  /** A number that grows whenever answers may have changed. */
  public long changes() {
    return table.changes();
  }

  private void deadLetter(Message head) {
    Optional<DeadLetterId> id = DeadLetterId.ofSubject(names.prefix(), head.getSubject());
    if (id.isEmpty()) {
      if (!head.getSubject().startsWith(names.prefix() + ".part.")) {
        cannotRead("Subject " + head.getSubject() + " is not that of a dead letter.");
      }
      return;
    }
    try {
      table.add(
          new CompactEntry(
              head.metaData().streamSequence(),
              EvidenceDecoder.summary(id.get(), RawHeaders.headers(head)),
              strings));
    } catch (UnreadableEvidenceException e) {
      cannotRead(String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException e) {
      cannotRead("The dead letter " + id.get() + " cannot be read: " + e.getMessage());
    }
  }

  private void event(Message event) {
    Optional<EventAddress> address = EventAddress.ofSubject(names.prefix(), event.getSubject());
    if (address.isPresent()) {
      try {
        Event decoded = EventFormat.decode(address.get(), RawHeaders.headers(event));
        table.add(decoded);
        // What was there before would be counted again by every process that starts.
        if (events.isCaughtUp()) {
          replays = replays.plus(decoded.fact());
        }
      } catch (UnreadableEventException e) {
        cannotRead(String.valueOf(e.getMessage()));
      }
    } else {
      PlanAddress.ofSubject(names.prefix(), event.getSubject())
          .filter(piece -> piece.part() == PlanAddress.Part.PROGRESS)
          .ifPresent(piece -> plansWithNews.add(piece.plan()));
    }
  }

  private void cannotRead(String sentence) {
    if (unreadable.size() < MOST_UNREADABLE) {
      unreadable.add(sentence);
    }
  }

  private void check() {
    try {
      deadLetters.check();
      events.check();
      if (isRead()) {
        learnOfCopies();
      }
      problem = null;
    } catch (RuntimeException e) {
      // Said to whoever asks, and tried again.
      problem = String.valueOf(e.getMessage());
    }
  }

  private synchronized void learnOfCopies() {
    for (String plan : Set.copyOf(plansWithNews)) {
      plansWithNews.remove(plan);
      if (table.isReplaying(plan)) {
        try {
          table.published(plans.published(plan));
        } catch (UnreadablePlanException e) {
          cannotRead(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
          plansWithNews.add(plan);
          throw e;
        }
      }
    }
  }

  @Override
  public void close() {
    checks.shutdownNow();
    deadLetters.close();
    events.close();
  }
}
