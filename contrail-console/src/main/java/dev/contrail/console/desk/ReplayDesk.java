package dev.contrail.console.desk;

import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.jetstream.Provision;
import dev.contrail.operations.replay.Candidate;
import dev.contrail.operations.replay.Draft;
import dev.contrail.operations.replay.PlanReport;
import dev.contrail.operations.replay.PlanSummary;
import dev.contrail.operations.replay.ReplayPlans;
import dev.contrail.operations.replay.Selections;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.plan.PlanState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Replays: drafted, begun, followed and ended. Plans are stored, and outlive this process. */
public final class ReplayDesk {
  private static final Logger log = LoggerFactory.getLogger(ReplayDesk.class);

  private final Account account;
  private final ReplayPlans plans;
  private final Selections selections;
  private final ReplayRuns runs;
  private final String ownSubjects;
  private final InstantSource clock;

  public ReplayDesk(Account account, Provision provision, ReplayRuns runs, InstantSource clock) {
    this.account = account;
    this.plans =
        new ReplayPlans(account.connection(), account.jetStream(), account.names(), provision);
    this.selections = new Selections(account.connection(), account.jetStream(), account.names());
    this.runs = runs;
    this.ownSubjects = account.names().prefix() + ".";
    this.clock = clock;
  }

  /**
   * What a replay would do. Writes nothing.
   *
   * @param others how many of those that were chosen are not open, and are left alone
   */
  public record Prepared(Draft draft, int others, List<String> unreadable) {}

  /** Drafts a replay. */
  public Prepared draft(Choice choice, PlanOptions how) throws InterruptedException {
    if (how.to().filter(subject -> subject.startsWith(ownSubjects)).isPresent()) {
      throw new Refusal(
          Refusal.Kind.BAD_REQUEST,
          "'" + how.to().get() + "' is Contrail's own; accepted are other subjects.");
    }
    account.requireConnected();
    List<String> unreadable = new ArrayList<>();
    List<Candidate> all =
        choice.isById()
            ? choice.ids().stream().map(this::candidate).toList()
            : selections.matching(choice.query().filter(clock.instant()), unreadable::add);
    // What a query finds is what can be replayed of it; an id is meant, and told why not.
    List<Candidate> wanted =
        choice.isById()
            ? all
            : all.stream().filter(it -> it.state().status() == Status.OPEN).toList();
    return new Prepared(plans.draft(wanted, how, false), all.size() - wanted.size(), unreadable);
  }

  private Candidate candidate(DeadLetterId id) {
    try {
      return selections
          .find(id)
          .orElseThrow(
              () -> new Refusal(Refusal.Kind.NOT_FOUND, "There is no dead letter " + id + "."));
    } catch (UnreadableEvidenceException e) {
      throw new Refusal(Refusal.Kind.CONFLICT, String.valueOf(e.getMessage()));
    }
  }

  /** Stores a plan and begins with it; returns its name. */
  public String start(Choice choice, PlanOptions how, String by) throws InterruptedException {
    try (ReplayRuns.Room room = runs.reserve()) {
      return start(choice, how, by, room);
    }
  }

  private String start(Choice choice, PlanOptions how, String by, ReplayRuns.Room room)
      throws InterruptedException {
    Draft draft = draft(choice, how).draft();
    if (draft.planned().isEmpty()) {
      throw new Refusal(
          Refusal.Kind.CONFLICT,
          draft.leftOut().isEmpty()
              ? "There is nothing to replay: no open dead letter among those."
              : "Nothing can be replayed: " + draft.leftOut().get(0).why() + ".");
    }
    PlanHead head =
        plans.create(
            draft.planned().stream().map(Draft.Planned::entry).toList(), choice.inWords(), how, by);
    runs.run(head, room, (stop, listener) -> plans.begin(head.plan(), by, false, stop, listener));
    return head.plan();
  }

  /** Goes on with what is left of one. */
  public void resume(String plan, String by) {
    PlanHead head = required(plan);
    try (ReplayRuns.Room room = runs.reserve()) {
      runs.run(head, room, (stop, listener) -> plans.run(plan, by, false, stop, listener));
    }
  }

  /** Has one end between two messages, wherever it runs. */
  public PlanState cancel(String plan, String by) {
    required(plan);
    PlanState state = plans.cancel(plan, by);
    runs.stop(plan, "cancelled by " + by);
    return state;
  }

  /** All plans that can be read, the newest first; the log names the others. */
  public List<PlanSummary> list() {
    account.requireConnected();
    return plans.list(unreadable -> log.warn("{}", unreadable));
  }

  /**
   * How it stands with one.
   *
   * @param here what this process knows of it, where it runs here
   */
  public record Progress(PlanReport report, Optional<ReplayRuns.Running> here, Instant at) {
    /** Whether something of it is still to come. */
    public boolean isUnderWay() {
      return report.state().kind() == PlanState.Kind.RUNNING
          || here.filter(ReplayRuns.Running::isUnderWay).isPresent()
          || report.tally().waiting() > 0;
    }

    public boolean isRunning() {
      return report.state().kind() == PlanState.Kind.RUNNING
          || here.filter(ReplayRuns.Running::isUnderWay).isPresent();
    }

    /** Whether there is something left that can be gone on with. */
    public boolean isResumable() {
      return !isRunning() && report.tally().open() > 0;
    }
  }

  /** How it stands with one. */
  public Progress progress(String plan, String by) throws InterruptedException {
    required(plan);
    return new Progress(plans.report(plan, by), runs.find(plan), clock.instant());
  }

  private PlanHead required(String plan) {
    account.requireConnected();
    Optional<PlanHead> head;
    try {
      head = plans.find(plan);
    } catch (IllegalArgumentException e) {
      head = Optional.empty();
    }
    return head.orElseThrow(
        () -> new Refusal(Refusal.Kind.NOT_FOUND, "There is no replay " + plan + "."));
  }
}
