package dev.contrail.operations.orphans;

import dev.contrail.evidence.OriginalMessage;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.StreamMessages;
import dev.contrail.jetstream.StreamMessages.Found;
import dev.contrail.operations.orphans.ReapPlan.Fate;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.operations.stranded.StrandedMessages;
import dev.contrail.operations.stranded.Stranding;
import dev.contrail.operations.stranded.Testimony;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** One pass over the streams. */
final class ReapRun {
  private static final String STAYS =
      "its stream keeps messages by limits alone, which only --to-dlq can be done with";
  private static final String WANTED =
      " may still want it; the one that gave up lets go of it by contrail guard --release %s"
          + " --from-start";
  private static final String AT_WORK =
      " is at work, and may run it if it was set back since; that is told when it has nothing"
          + " unacked";
  private static final int AT_ONCE = 128;
  private static final int AT_ONCE_IN_A_PLAN = 1024;

  /** Each is in memory several times while it is taken away. */
  private static final long BYTES_AT_ONCE = 4L << 20;

  /** Where it looks. */
  record Site(JetStreamServer server, StreamMessages messages, OrphanScan scan) {}

  /**
   * What it heeds on its way.
   *
   * @param leads whether it has the lease
   * @param stop whether to end after what is under way
   */
  record Signals(
      LongSupplier nanoTime,
      BooleanSupplier leads,
      BooleanSupplier stop,
      Reaper.Listener listener) {}

  private final Site site;
  private final Clock clock = Clock.systemUTC();
  private final ReapPlan plan;
  private final ReapPort port;
  private final Signals signals;
  private final ReapReport report = new ReapReport();
  private final Instant before;
  private long settled;
  private long of;

  ReapRun(Site site, ReapPlan plan, ReapPort port, Signals signals) {
    this.site = site;
    this.plan = plan;
    this.port = port;
    this.signals = signals;
    this.before = clock.instant().minus(plan.olderThan());
  }

  ReapReport run() throws InterruptedException {
    List<StreamInfo> all = site.server().streams();
    List<Target> targets = new ArrayList<>();
    List<StreamInfo> chosen = site.scan().chosen(plan.streams(), all);
    Witness witness = site.scan().witness(plan.streams(), all);
    for (StreamInfo info : chosen) {
      try {
        Optional<StreamSeen> seen = site.scan().see(info, all, witness, false);
        if (seen.isPresent()) {
          addOrLeave(info.getConfiguration(), Target.of(seen.get(), plan.classes()), targets);
          site.scan().held(seen.get(), plan.olderThan(), clock.instant()).forEach(report::held);
        }
      } catch (ContrailException e) {
        report.notJudged(site.scan().notJudged(info, e));
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

  private void addOrLeave(StreamConfiguration stream, List<Target> some, List<Target> targets) {
    for (Target target : some) {
      Optional<String> why = refusal(stream, target);
      if (why.isPresent()) {
        report.line(target).left(target.count(), why.get());
      } else {
        targets.add(target);
      }
    }
  }

  private Optional<String> refusal(StreamConfiguration stream, Target target) {
    if (target.stays()) {
      return plan.fate() == Fate.DEAD_LETTER ? Optional.empty() : Optional.of(STAYS);
    }
    if (!StrandedMessages.allowsDeletions(stream)) {
      // A dead letter would be that of a message that stays.
      return Optional.of(StrandedMessages.NO_DELETIONS);
    }
    return target.told().flatMap(it -> refusal(target.stream(), it));
  }

  private static Optional<String> refusal(String stream, Stranding.Told told) {
    if (!told.wantedBy().isEmpty()) {
      return Optional.of(String.join(", ", told.wantedBy()) + WANTED.formatted(stream));
    }
    return told.atWork().isEmpty()
        ? Optional.empty()
        : Optional.of(String.join(", ", told.atWork()) + AT_WORK);
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
        new Harvest(port, plan.fate(), target, report, line, signals.nanoTime(), clock);
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
      signals.listener().settled(settled + line.settled(), of);
      if (objection.isPresent() || old.size() < some.size() || some.isEmpty()) {
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
    signals.listener().settled(settled, of);
  }

  private boolean mayGoOn() {
    if (signals.stop().getAsBoolean()) {
      report.stopped("interrupted");
    } else if (!signals.leads().getAsBoolean()) {
      report.stopped("the lease is lost; another reaper may be at work");
    }
    return report.stopped().isEmpty();
  }

  /** As many as may be taken away at once, and be in memory. */
  private List<Found> read(Target target, long from) {
    List<Found> some = new ArrayList<>();
    long next = from;
    long bytes = 0;
    while (some.size() < atOnce() && bytes < BYTES_AT_ONCE) {
      Optional<Found> found = next(target, next);
      if (found.isEmpty()) {
        break;
      }
      some.add(found.get());
      OriginalMessage message = found.get().message();
      bytes += message.payload().length + message.headerBlock().length;
      next = found.get().sequence() + 1;
    }
    return some;
  }

  private Optional<Found> next(Target target, long from) {
    if (target.told().isEmpty()) {
      return OrphanScan.joined(
          site.messages().nextOf(target.stream(), target.subject(), from, target.upTo()));
    }
    return target.told().get().messages().tailMap(from).values().stream()
        .flatMap(it -> at(target.stream(), it).stream())
        .findFirst();
  }

  /** The message that the server told of, if it is there yet. */
  private Optional<Found> at(String stream, Testimony told) {
    return OrphanScan.joined(site.messages().at(stream, told.advisory().message().sequence()))
        .filter(
            it ->
                it.message().subject().equals(told.subject())
                    && it.message().publishedAt().equals(told.publishedAt()));
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
    while (System.nanoTime() < until && !signals.stop().getAsBoolean()) {
      Thread.sleep(Math.min(100, 1 + (until - System.nanoTime()) / 1_000_000));
    }
  }
}
