package dev.contrail.operations.replay;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.CopyPublisher;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.PlanStore;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.DeadLetters;
import dev.contrail.operations.Ledgers;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.plan.PlanProgress;
import dev.contrail.plan.PlanState;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Replays of dead letters as plans, which are stored: a run that was killed is resumed where it
 * was, on any machine. Thread-safe.
 */
public final class ReplayPlans {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);
  private static final int ONE_BY_ONE = 100;

  private final Connection connection;
  private final JetStreamOptions options;
  private final Names names;
  private final Provision provision;
  private final Clock clock = Clock.systemUTC();
  private final EventStore events;
  private final PlanStore plans;
  private final KnownPlans known;
  private final CopyPublisher copies;
  private final DeadLetters deadLetters;
  private final ServerFacts facts;
  private final Followings followings;

  /** Where tests put faults in. */
  UnaryOperator<ReplayPort> port = UnaryOperator.identity();

  UnaryOperator<Letters> letters = UnaryOperator.identity();

  public ReplayPlans(
      Connection connection, JetStreamOptions options, Names names, Provision provision) {
    this.connection = connection;
    this.options = options;
    this.names = names;
    this.provision = provision;
    this.events = new EventStore(connection, options, names);
    this.plans = new PlanStore(connection, options, names);
    this.known = new KnownPlans(plans);
    this.copies = new CopyPublisher(connection, options);
    this.deadLetters = new DeadLetters(connection, options, names);
    this.facts = new ServerFacts(connection, options, names);
    this.followings =
        new Followings(connection, options, names, events, copies, deadLetters, facts, clock);
  }

  /**
   * What a plan would do. Writes nothing.
   *
   * @param force whether also those are replayed whose last replay has no known outcome, to
   *     consumers that are not run by Contrail
   * @throws ContrailException when that cannot be found out
   */
  public Draft draft(List<Candidate> candidates, PlanOptions how, boolean force) {
    return new Planner(facts, events, deadLetters, new Repeats(facts, events, plans, copies))
        .draft(candidates, how, force);
  }

  /**
   * Stores a plan; {@link #run} carries it out.
   *
   * @param chosen how the dead letters were chosen, in words
   * @throws ContrailException when it cannot be stored
   */
  public PlanHead create(List<PlanEntry> entries, String chosen, PlanOptions how, String by) {
    new Provisioning(connection, options, InitPlan.of(names), provision)
        .ensure(List.of(Store.EVENTS, Store.LEASES));
    Instant now = clock.instant();
    PlanHead head =
        new PlanHead(
            newPlan(now), now, by, chosen, entries.size(), PlanStore.chunks(entries.size()), how);
    Futures.get(plans.create(head, entries));
    return head;
  }

  private static String newPlan(Instant now) {
    String random = Integer.toString(new SecureRandom().nextInt(36 * 36 * 36), 36);
    return TIME.format(now) + "-" + "0".repeat(3 - random.length()) + random;
  }

  /** The plan of that name. */
  public Optional<PlanHead> find(String plan) {
    return known.find(plan);
  }

  /**
   * All plans and how it stands with each, the newest first.
   *
   * @param unreadable is told a sentence for each that cannot be read
   */
  public List<PlanSummary> list(Consumer<String> unreadable) {
    return known.list(unreadable);
  }

  /** Has a run of the plan end between two messages, wherever it runs. */
  public PlanState cancel(String plan, String by) {
    return known.cancel(plan, by, clock.instant());
  }

  /**
   * Carries out what is left of a plan.
   *
   * @param force whether copies are published again that may have been published before, also where
   *     that may double them, and whether the plan is taken from a process that runs it
   * @throws ContrailException when another process runs it, or it cannot be read
   */
  public RunResult run(String plan, String by, boolean force, StopSign stop, RunListener listener)
      throws InterruptedException {
    return run(plan, by, force, stop, listener, RunningPlan::during);
  }

  /**
   * Carries out a plan for the first time. One that somebody cancelled since it was made is left
   * alone.
   *
   * @throws ContrailException when another process runs it, or it cannot be read
   */
  public RunResult begin(String plan, String by, boolean force, StopSign stop, RunListener listener)
      throws InterruptedException {
    return run(plan, by, force, stop, listener, RunningPlan::first);
  }

  private interface Way {
    RunResult run(RunningPlan plan, RunningPlan.Body body) throws InterruptedException;
  }

  private RunResult run(
      String plan, String by, boolean force, StopSign stop, RunListener listener, Way way)
      throws InterruptedException {
    PlanStore.Stored stored = known.required(plan);
    try (PlanLease lease = PlanLease.take(connection, options, names, plan, by, force)) {
      PlanStore.Current before = Futures.get(plans.state(stored.head()));
      Instant seenUntil =
          before.state().kind() == PlanState.Kind.RUNNING ? Instant.MIN : before.storedAt();
      return way.run(
          new RunningPlan(RunningPlan.States.of(plans, plan), before, by, clock, stop, lease),
          (storedAt, began) ->
              carryOut(
                  stored,
                  new RunContext(stored.head(), by, force, storedAt, began, seenUntil, clock),
                  stop,
                  listener,
                  lease));
    }
  }

  private List<RunResult.Unsettled> carryOut(
      PlanStore.Stored stored, RunContext run, StopSign stop, RunListener listener, PlanLease lease)
      throws InterruptedException {
    PlanHead head = stored.head();
    List<PlanEntry> entries = Futures.get(plans.entries(head));
    PlanStore.Progress before = Futures.get(plans.progress(head.plan()));
    Map<Integer, PlanProgress> done = byIndex(before.done());
    ReplayPort writes = port.apply(new JetStreamReplayPort(events, copies, plans, clock));
    EntryReplay replay =
        new EntryReplay(
            run,
            writes,
            events,
            new Destinations(facts, head.options().to()),
            new LedgerCompletions(new Ledgers(connection, options, names), facts),
            new CopySending(writes, copies::heldAt, lease::isLost, CopySending.IN_A_WHILE));
    Outcomes outcomes =
        new Outcomes(entries, done, run.isAfterKill() ? Instant.MIN : run.serverTime());
    boolean stopOnReturn = head.options().stopOnReturn();
    try (Following following =
            followings.begin(stored, outcomes, run.by(), stop, listener, stopOnReturn);
        Letters open = letters.apply(letters(entries, done))) {
      ProgressLog log = log(writes, head.plan(), run.by(), before.pieces(), stop);
      return new PlanRun(run, entries, done, replay, open, log, following, facts, stop, listener)
          .carryOut().stream()
              .map(it -> new RunResult.Unsettled(entries.get(it.index()).id(), it.why()))
              .toList();
    }
  }

  private ProgressLog log(ReplayPort writes, String plan, String by, int pieces, StopSign stop) {
    return new ProgressLog(
        writes,
        () -> plans.progress(plan).thenApply(PlanStore.Progress::done),
        plan,
        by,
        pieces,
        stop,
        ProgressLog.IN_A_WHILE);
  }

  private Letters letters(List<PlanEntry> entries, Map<Integer, PlanProgress> done) {
    List<PlanEntry> open = new ArrayList<>();
    for (int index = 0; index < entries.size(); index++) {
      if (!done.containsKey(index)) {
        open.add(entries.get(index));
      }
    }
    return open.size() <= ONE_BY_ONE
        ? entry -> deadLetters.find(entry.id())
        : new StreamedLetters(connection, options, names, deadLetters, open);
  }

  private static Map<Integer, PlanProgress> byIndex(List<PlanProgress> all) {
    Map<Integer, PlanProgress> byIndex = new HashMap<>();
    all.forEach(done -> byIndex.putIfAbsent(done.index(), done));
    return byIndex;
  }

  /**
   * How it stands with the entries of a plan now. Writes outcomes that can be concluded.
   *
   * @throws ContrailException when it cannot be read
   */
  public PlanReport report(String plan, String by) throws InterruptedException {
    PlanStore.Stored stored = known.required(plan);
    List<PlanEntry> entries = Futures.get(plans.entries(stored.head()));
    Outcomes outcomes = new Outcomes(entries, byIndex(Futures.get(plans.progress(plan)).done()));
    try (Following following =
        followings.begin(stored, outcomes, by, new StopSign(), PlanReport.NO_LISTENER, false)) {
      Tally tally = following.tallyNow();
      return PlanReport.of(
          stored.head(), Futures.get(plans.state(stored.head())).state(), tally, outcomes);
    }
  }

  /**
   * Waits until all is known that can be known of the entries that were replayed.
   *
   * @param stop ends the waiting
   */
  public PlanReport await(String plan, String by, StopSign stop, RunListener listener)
      throws InterruptedException {
    PlanStore.Stored stored = known.required(plan);
    List<PlanEntry> entries = Futures.get(plans.entries(stored.head()));
    Outcomes outcomes = new Outcomes(entries, byIndex(Futures.get(plans.progress(plan)).done()));
    try (Following following =
        followings.begin(stored, outcomes, by, new StopSign(), listener, false)) {
      Tally tally = following.tallyNow();
      while (tally.waiting() > 0 && !stop.await(100_000_000)) {
        following.look();
        tally = outcomes.tally();
        listener.settled(tally.replayed() - tally.waiting(), tally.replayed());
      }
      return PlanReport.of(
          stored.head(), Futures.get(plans.state(stored.head())).state(), tally, outcomes);
    }
  }
}
