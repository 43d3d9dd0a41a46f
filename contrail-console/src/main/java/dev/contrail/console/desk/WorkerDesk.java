package dev.contrail.console.desk;

import dev.contrail.console.desk.RecentChanges.Tone;
import dev.contrail.jetstream.ActStore;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.report.PauseOrder;
import dev.contrail.jetstream.report.PauseScope;
import dev.contrail.operations.acts.Acts;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.operations.workers.Look;
import dev.contrail.operations.workers.Pauses;
import dev.contrail.operations.workers.Roll;
import dev.contrail.operations.workers.RollChanges;
import dev.contrail.operations.workers.Workers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What workers are doing, from memory, and what they are told. Each order says who gave it. */
public final class WorkerDesk {
  /** Numbers change all the time; whoever looks on is not told of it more often than this. */
  private static final long TELL_EVERY = Duration.ofSeconds(10).toNanos();

  private static final int MOST_ACTS = 100;
  private static final Duration ACTS_FRESH = Duration.ofSeconds(2);
  private static final Duration STALE = Duration.ofSeconds(30);

  private static final Logger log = LoggerFactory.getLogger(WorkerDesk.class);

  private final Account account;
  private final Acts acts;
  private final Remembered<ActStore.Listing> latestActs = new Remembered<>(ACTS_FRESH);
  private final Workers workers;
  private final Pauses pauses;
  private final JetStreamServer server;
  private final RecentChanges changes;
  private final InstantSource clock;
  private final AtomicLong revision = new AtomicLong();
  private Roll seen = Roll.EMPTY;
  private boolean looked;
  private long toldNanos = System.nanoTime();

  public WorkerDesk(
      Account account, Provision provision, RecentChanges changes, InstantSource clock) {
    this.account = account;
    this.acts = new Acts(account.connection(), account.jetStream(), account.names());
    this.workers = new Workers(account.connection(), account.jetStream(), account.names(), clock);
    this.pauses =
        new Pauses(account.connection(), account.jetStream(), account.names(), provision, clock);
    this.server = new JetStreamServer(account.connection(), account.jetStream());
    this.changes = changes;
    this.clock = clock;
  }

  /** Looks. Blocks; every few seconds, and after an order was given. */
  public synchronized void look() {
    Roll now = workers.look();
    RollChanges change = RollChanges.between(seen, now);
    // What was so before this process began did not change lately.
    if (looked) {
      change.worse().forEach(it -> changes.add(Tone.BAD, it, "/workers"));
      change.better().forEach(it -> changes.add(Tone.GOOD, "over: " + it, "/workers"));
      change.paused().forEach(it -> changes.add(Tone.PLAIN, "paused: " + it, "/workers"));
      change.resumed().forEach(it -> changes.add(Tone.PLAIN, "pause ended: " + it, "/workers"));
    }
    boolean differs = !now.equals(seen);
    long nanos = System.nanoTime();
    if (differs
        && (now.workers().size() != seen.workers().size() || nanos - toldNanos > TELL_EVERY)) {
      toldNanos = nanos;
      revision.incrementAndGet();
    }
    seen = now;
    looked = true;
  }

  /** As they were when they could be looked at last, mostly a few seconds ago. */
  public Roll roll() {
    return workers.latest();
  }

  /** The same with its time; empty before the first look. */
  public Optional<Look> lastLook() {
    return workers.lastLook();
  }

  /** Since when they cannot be looked at, where that is so for longer than workers are silent. */
  public Optional<Instant> staleSince() {
    return lastLook().map(Look::at).filter(at -> at.plus(STALE).isBefore(clock.instant()));
  }

  /** Grows when there is something new to be seen. */
  public long revision() {
    return revision.get();
  }

  /** What was done to workers and tokens, the newest first. */
  public ActStore.Listing acts() {
    return latestActs.get(
        () -> {
          account.requireConnected();
          return acts.newest(MOST_ACTS);
        },
        clock.instant());
  }

  /** Has workers take no more messages. */
  public PauseOrder pause(PauseScope scope, String by, String because) {
    String reason = because.strip();
    if (reason.length() > PauseOrder.LONGEST_REASON) {
      throw new Refusal(
          Refusal.Kind.BAD_REQUEST,
          "The reason has "
              + reason.length()
              + " characters; accepted are up to "
              + PauseOrder.LONGEST_REASON
              + ".");
    }
    requireThere(scope);
    PauseOrder order = pauses.pause(scope, by, reason);
    lookAgain();
    return order;
  }

  private void requireThere(PauseScope scope) {
    if (server.stream(scope.stream()).isEmpty()) {
      throw new Refusal(Refusal.Kind.NOT_FOUND, "There is no stream " + scope.stream() + ".");
    }
    scope
        .consumer()
        .filter(it -> server.consumer(scope.stream(), it).isEmpty())
        .ifPresent(
            it -> {
              throw new Refusal(
                  Refusal.Kind.NOT_FOUND,
                  "The stream " + scope.stream() + " has no consumer " + it + ".");
            });
  }

  /**
   * Ends a pause.
   *
   * @return what it was
   * @throws Refusal where there is none
   */
  public PauseOrder resume(PauseScope scope, String by) {
    List<PauseOrder> standing = pauses.standing();
    PauseOrder order =
        standing.stream()
            .filter(it -> it.scope().equals(scope))
            .findFirst()
            .orElseThrow(
                () -> new Refusal(Refusal.Kind.CONFLICT, scope + " is not paused (any more)."));
    pauses.resume(scope, by);
    lookAgain();
    return order;
  }

  /** The order is given; whether it can be seen at once is another matter. */
  private void lookAgain() {
    try {
      look();
    } catch (ContrailException e) {
      log.debug("workers are looked at later", e);
    }
  }
}
