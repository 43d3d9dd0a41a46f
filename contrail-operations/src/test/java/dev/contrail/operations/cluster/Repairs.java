package dev.contrail.operations.cluster;

import dev.contrail.event.Status;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Provision;
import dev.contrail.operations.index.EntryFilter;
import dev.contrail.operations.replay.Candidate;
import dev.contrail.operations.replay.Draft;
import dev.contrail.operations.replay.PlanReport;
import dev.contrail.operations.replay.ReplayPlans;
import dev.contrail.operations.replay.RunListener;
import dev.contrail.operations.replay.RunResult;
import dev.contrail.operations.replay.Selections;
import dev.contrail.operations.replay.StopSign;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanOptions;
import dev.contrail.plan.PlanState;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An operator who replays all that died, over and over, and resumes what stopped. */
final class Repairs implements AutoCloseable {
  private static final RunListener NO_LISTENER =
      new RunListener() {
        @Override
        public void settled(int done, int of) {}

        @Override
        public void notice(String sentence) {}
      };

  private final Connection connection;
  private final Selections selections;
  private final ReplayPlans plans;
  private final Thread thread;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final Queue<String> unfinished = new ConcurrentLinkedQueue<>();
  private final Queue<String> diary = new ConcurrentLinkedQueue<>();
  private final Queue<PlanReport.Finding> findings = new ConcurrentLinkedQueue<>();
  private final AtomicInteger finished = new AtomicInteger();
  private final Queue<RuntimeException> failures = new ConcurrentLinkedQueue<>();

  Repairs(String urls) {
    this.connection = Contrail.connect(urls);
    JetStreamOptions options = JetStreamOptions.defaultOptions();
    this.selections = new Selections(connection, options, Site.NAMES);
    this.plans = new ReplayPlans(connection, options, Site.NAMES, Provision.CREATE);
    this.thread = new Thread(this::run, "repairs");
    this.thread.start();
  }

  private void run() {
    try {
      do {
        try {
          resume();
          plan();
        } catch (ContrailException e) {
          diary.add(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
          failures.add(e);
        }
      } while (!stopping.await(500, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void resume() throws InterruptedException {
    for (String plan : List.copyOf(unfinished)) {
      RunResult result = plans.run(plan, "ann@host", false, new StopSign(), NO_LISTENER);
      diary.add(plan + " " + result);
      if (result.state().kind() == PlanState.Kind.FINISHED) {
        List<PlanReport.Finding> found = plans.report(plan, "ann@host").findings();
        found.forEach(it -> diary.add(plan + " " + it));
        findings.addAll(found);
        unfinished.remove(plan);
        finished.incrementAndGet();
      }
    }
  }

  private void plan() throws InterruptedException {
    List<Candidate> open = open();
    if (open.isEmpty()) {
      return;
    }
    List<PlanEntry> entries =
        plans.draft(open, PlanOptions.DEFAULT, false).planned().stream()
            .map(Draft.Planned::entry)
            .toList();
    if (!entries.isEmpty()) {
      unfinished.add(
          plans.create(entries, "all that is open", PlanOptions.DEFAULT, "ann@host").plan());
    }
  }

  private List<Candidate> open() throws InterruptedException {
    List<Candidate> open = new ArrayList<>();
    for (String stream : Site.WORKED) {
      selections
          .matching(
              EntryFilter.builder().stream(stream).consumer(Site.CONSUMER).build(),
              unreadable -> {
                throw new AssertionError(unreadable);
              })
          .stream()
          .filter(candidate -> candidate.state().status() == Status.OPEN)
          .forEach(open::add);
    }
    return open;
  }

  /** How many plans came to their end. */
  int finished() {
    return finished.get();
  }

  /** What no user should ever see. */
  List<RuntimeException> failures() {
    return List.copyOf(failures);
  }

  /** Whether a plan waits to be resumed. */
  boolean isBusy() {
    return !unfinished.isEmpty();
  }

  /** What did not end well in plans that came to their end, as it was reported then. */
  List<PlanReport.Finding> findings() {
    return List.copyOf(findings);
  }

  /** What happened. */
  List<String> diary() {
    return List.copyOf(diary);
  }

  @Override
  public void close() {
    try {
      stopping.countDown();
      thread.join(TimeUnit.MINUTES.toMillis(2));
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
