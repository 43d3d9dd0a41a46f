package dev.contrail.operations.orphans;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.jetstream.StreamMessages;
import dev.contrail.jetstream.StreamMessages.Found;
import dev.contrail.operations.burial.Burial;
import dev.contrail.operations.lease.LeaderLease;
import dev.contrail.operations.orphans.ReapPlan.Fate;
import dev.contrail.operations.replay.ReplayPlans;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.operations.stranded.ConsumerView;
import dev.contrail.operations.stranded.StrandedMessages;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.StreamInfo;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Takes orphans away: consumers, filters, the stream's state and what is acknowledged first; then
 * the messages one by one, by sequence, each only when it is old enough and nobody claims it;
 * evidence, one more look at the consumers, and the deletion within a second of it. Blocks.
 *
 * <p>One of several leads by a lease; every act is safe when two believe they do.
 */
public final class Reaper {
  /** The lease that a reaper must have. */
  public static final String TASK = "orphans";

  private static final int AT_ONCE = 128;
  private static final int AT_ONCE_IN_A_PLAN = 1024;

  private final Connection connection;
  private final JetStreamOptions options;
  private final Names names;
  private final Provision provision;
  private final String by;
  private final JetStreamServer server;
  private final StreamMessages messages;
  private final StrandedMessages stranded;
  private final OrphanScan scan;
  private final Clock clock = Clock.systemUTC();

  /**
   * For the server behind {@code connection}.
   *
   * @param by who reaps; part of the history of dead letters
   */
  public Reaper(
      Connection connection,
      JetStreamOptions options,
      Names names,
      Provision provision,
      String by) {
    this.connection = connection;
    this.options = options;
    this.names = names;
    this.provision = provision;
    this.by = by;
    this.server = new JetStreamServer(connection, options);
    this.messages = new StreamMessages(connection, options);
    this.stranded = new StrandedMessages(server, messages);
    this.scan = new OrphanScan(connection, options, names);
  }

  /** Hears how far it is. */
  public interface Listener {
    /** So many messages of so many are settled. */
    void settled(long done, long of);
  }

  /**
   * Takes away what is planned, or only counts it.
   *
   * @param stop whether to end after the messages that are under way
   * @throws ContrailException when another reaper leads, nobody would take what is handed over, or
   *     the server refuses or does not answer
   */
  public ReapReport reap(ReapPlan plan, BooleanSupplier stop, Listener listener)
      throws InterruptedException {
    if (plan.to().isPresent()) {
      requireTaker(plan.to().get());
    }
    if (!plan.really()) {
      return new Run(plan, port(plan), System::nanoTime, () -> true, stop, listener).run();
    }
    new Provisioning(connection, options, InitPlan.of(names), provision)
        .ensure(List.of(Store.DEAD_LETTERS, Store.EVENTS, Store.LEASES));
    try (LeaderLease lease = LeaderLease.of(connection, options, names, TASK, by)) {
      if (!lease.tryTake()) {
        throw new ContrailException(
            "Another reaper is at work: " + lease.other().orElse("somebody else") + ".");
      }
      return reap(plan, port(plan), System::nanoTime, lease::isHeld, stop, listener);
    }
  }

  /** The same with whatever acts. */
  ReapReport reap(
      ReapPlan plan,
      ReapPort port,
      LongSupplier nanoTime,
      BooleanSupplier leads,
      BooleanSupplier stop,
      Listener listener)
      throws InterruptedException {
    return new Run(plan, port, nanoTime, leads, stop, listener).run();
  }

  ReapPort port(ReapPlan plan) {
    EventStore events = new EventStore(connection, options, names);
    return new JetStreamReapPort(
        stranded,
        messages,
        events,
        new Burial(connection, options, names, by, ForkJoinPool.commonPool()),
        plan.to()
            .map(
                to ->
                    new HandOver(
                        new ReplayPlans(connection, options, names, provision), events, to, by)),
        by);
  }

  /** Whoever hands over work hands it to somebody. */
  private void requireTaker(String subject) {
    String stream =
        server
            .streamTaking(subject)
            .orElseThrow(() -> nothing(subject, "no stream takes that subject"));
    List<ConsumerView> consumers = stranded.consumers(stream);
    if (Sorting.claims(consumers, List.of()).on(subject).isEmpty()) {
      throw nothing(subject, "no consumer of stream " + stream + " claims it");
    }
  }

  private static ContrailException nothing(String subject, String why) {
    return new ContrailException("Nothing can be handed over to " + subject + ": " + why + ".");
  }

  /** One pass over the streams. */
  private final class Run {
    private final ReapPlan plan;
    private final ReapPort port;
    private final LongSupplier nanoTime;
    private final BooleanSupplier leads;
    private final BooleanSupplier stop;
    private final Listener listener;
    private final ReapReport report = new ReapReport();
    private final Instant before;
    private final Attribution attribution = new Attribution(server, names);
    private long settled;
    private long of;

    Run(
        ReapPlan plan,
        ReapPort port,
        LongSupplier nanoTime,
        BooleanSupplier leads,
        BooleanSupplier stop,
        Listener listener) {
      this.plan = plan;
      this.port = port;
      this.nanoTime = nanoTime;
      this.leads = leads;
      this.stop = stop;
      this.listener = listener;
      this.before = clock.instant().minus(plan.olderThan());
    }

    ReapReport run() throws InterruptedException {
      List<StreamInfo> all = server.streams();
      List<Target> targets = new ArrayList<>();
      for (StreamInfo info : scan.chosen(plan.streams(), all)) {
        Optional<StreamSeen> seen = scan.see(info, all, false);
        if (seen.isPresent()) {
          targets.addAll(Target.of(seen.get(), plan.classes()));
          scan.held(seen.get(), plan.olderThan(), clock.instant()).forEach(report::held);
        }
      }
      of = targets.stream().mapToLong(Target::count).sum();
      for (Target target : targets) {
        if (report.stopped().isEmpty()) {
          runOrStop(target);
        }
      }
      return report;
    }

    /** What was done before is told also when the server does not answer any more. */
    private void runOrStop(Target target) throws InterruptedException {
      try {
        run(target);
      } catch (ContrailException e) {
        if (!plan.really() || report.reaped() == 0) {
          throw e;
        }
        report.stopped(String.valueOf(e.getMessage()).replaceAll("\\.$", ""));
      }
    }

    private void run(Target target) throws InterruptedException {
      ReapReport.Line line = report.line(target);
      Harvest harvest =
          new Harvest(
              port,
              plan.fate(),
              target,
              it -> attribution.of(target, it.sequence()),
              report,
              line,
              nanoTime,
              clock);
      long from = 1;
      while (mayGoOn()) {
        long began = System.nanoTime();
        List<Found> some = read(target, from);
        List<Found> old =
            some.stream().filter(it -> it.message().publishedAt().isBefore(before)).toList();
        Optional<String> objection = Optional.empty();
        if (plan.really() && !old.isEmpty()) {
          objection = harvest.take(old);
        } else {
          line.reaped(old.size());
        }
        listener.settled(settled + line.settled(), of);
        if (objection.isPresent() || old.size() < some.size() || some.size() < atOnce()) {
          long rest = Math.max(0, target.count() - line.settled());
          if (objection.isPresent()) {
            line.left(rest, objection.get());
          } else {
            line.young(old.size() < some.size() ? rest : 0);
          }
          break;
        }
        from = some.get(some.size() - 1).sequence() + 1;
        pace(old.size(), began);
      }
      settled += target.count();
      listener.settled(settled, of);
    }

    private boolean mayGoOn() {
      if (stop.getAsBoolean()) {
        report.stopped("interrupted");
      } else if (!leads.getAsBoolean()) {
        report.stopped("the lease is lost; another reaper may be at work");
      }
      return report.stopped().isEmpty();
    }

    private List<Found> read(Target target, long from) {
      List<Found> some = new ArrayList<>();
      long next = from;
      while (some.size() < atOnce()) {
        Optional<Found> found =
            OrphanScan.joined(messages.next(target.stream(), target.subject(), next))
                .filter(it -> it.sequence() <= target.upTo());
        if (found.isEmpty()) {
          break;
        }
        some.add(found.get());
        next = found.get().sequence() + 1;
      }
      return some;
    }

    private int atOnce() {
      int most = plan.fate() == Fate.HAND_OVER ? AT_ONCE_IN_A_PLAN : AT_ONCE;
      return plan.rate()
          .map(rate -> Duration.ofSeconds(1).dividedBy(rate.interval()))
          .map(inOneSecond -> (int) Math.max(1, Math.min(most, inOneSecond)))
          .orElse(most);
    }

    private void pace(int done, long beganNanos) throws InterruptedException {
      if (plan.rate().isEmpty() || !plan.really()) {
        return;
      }
      long until = beganNanos + plan.rate().get().interval().toNanos() * done;
      while (System.nanoTime() < until && !stop.getAsBoolean()) {
        Thread.sleep(Math.min(100, 1 + (until - System.nanoTime()) / 1_000_000));
      }
    }
  }
}
