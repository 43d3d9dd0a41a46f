package dev.contrail.cli.drill.worker;

import dev.contrail.cli.command.Session;
import dev.contrail.event.Status;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.operations.index.EntryFilter;
import dev.contrail.operations.replay.Candidate;
import dev.contrail.operations.replay.Draft;
import dev.contrail.operations.replay.PlanSummary;
import dev.contrail.operations.replay.ReplayPlans;
import dev.contrail.operations.replay.RunListener;
import dev.contrail.operations.replay.Selections;
import dev.contrail.operations.replay.StopSign;
import dev.contrail.plan.PlanOptions;
import dev.contrail.plan.PlanState;
import java.util.List;
import java.util.Optional;

/** Replays all open dead letters; goes on with the plan of one that was killed first. */
final class ReplayWork {
  private static final String BY = "drill";

  private final RunLog log;
  private final ReplayPlans plans;
  private final Selections selections;

  ReplayWork(Session session, WorkerOrders orders, RunLog log) {
    Names names = new Names(orders.prefix());
    this.log = log;
    this.plans =
        new ReplayPlans(session.connection(), session.jetStream(), names, Provision.CREATE);
    this.selections = new Selections(session.connection(), session.jetStream(), names);
  }

  void run() throws InterruptedException {
    Optional<String> unfinished =
        plans.list(unreadable -> {}).stream()
            .filter(plan -> plan.state().kind() != PlanState.Kind.FINISHED)
            .map(PlanSummary::head)
            .map(head -> head.plan())
            .findFirst();
    log.write(RunLine.What.UP, unfinished.orElse("new plan"));
    if (unfinished.isPresent()) {
      // The one that ran it is dead for certain, so nobody waits for the end of its lease.
      var unused = plans.run(unfinished.get(), BY, true, new StopSign(), new Silent());
    }
    begin();
    log.write(RunLine.What.FINISHED, "replayed");
  }

  private void begin() throws InterruptedException {
    List<Candidate> open =
        selections.matching(EntryFilter.ALL, unreadable -> {}).stream()
            .filter(it -> it.state().status() == Status.OPEN)
            .toList();
    Draft draft = plans.draft(open, PlanOptions.DEFAULT, false);
    if (!draft.planned().isEmpty()) {
      String plan =
          plans
              .create(
                  draft.planned().stream().map(Draft.Planned::entry).toList(),
                  "all",
                  PlanOptions.DEFAULT,
                  BY)
              .plan();
      var unused = plans.begin(plan, BY, false, new StopSign(), new Silent());
    }
  }

  /** The drill looks from outside. */
  private static final class Silent implements RunListener {
    @Override
    public void settled(int done, int of) {}

    @Override
    public void notice(String sentence) {}
  }
}
