package dev.contrail.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What Contrail wants to reach, compared with what was measured. What was left out is not judged.
 */
final class Aims {
  private static final double LEDGER_RATIO = 0.90;
  private static final double REDIS_RATIO = 0.60;
  private static final double TIMES_PER_MESSAGE_REDIS = 20;
  private static final double ADDED_P99_MILLIS = 5;
  private static final double SHARE_OF_IDEAL = 0.90;
  private static final double HEAP_MEGABYTES = 4;
  private static final double STREAM_MEGABYTES = 6;
  private static final double START_SECONDS = 1;
  private static final double SCAN_SECONDS = 3;
  private static final double SCAN_RATIO = 2;
  private static final double BESIDE_SERVER = 1.1;
  private static final double AUDIT_SECONDS = 10;
  private static final double AUDIT_MEGABYTES = 150;
  private static final double GUARD_SECONDS = 20;
  private static final double PAGE_MILLIS = 300;
  private static final double FILTER_MILLIS = 100;
  private static final double CONSOLE_MEGABYTES = 200;
  private static final double BESIDE_RATIO = 0.90;
  private static final double MEGABYTE = 1_000_000;

  private final List<Aim> aims = new ArrayList<>();

  private Aims() {}

  static List<Aim> of(BenchReport.Measured measured, Conditions conditions) {
    Aims aims = new Aims();
    measured.throughput().forEach(throughput -> aims.speed(throughput, conditions));
    aims.latency(measured.latency());
    measured.ledgerSizes().stream().reduce((smaller, larger) -> larger).ifPresent(aims::size);
    double seconds = measured.start().millis().median() / 1000;
    aims.atMost(
        String.format(
            Locale.ROOT, "start with %,d completions behind", measured.start().completions()),
        START_SECONDS,
        seconds,
        "s");
    return List.copyOf(aims.aims);
  }

  static List<Aim> of(OrphanReport orphans, AuditSize audit, GuardSize guard) {
    Aims aims = new Aims();
    aims.atMost(
        String.format(
            Locale.ROOT,
            "orphan scan of %,d messages on %,d subjects",
            orphans.messages(),
            orphans.subjects()),
        SCAN_SECONDS,
        orphans.scanSeconds(),
        "s");
    aims.growth(orphans);
    aims.atMost(
        String.format(
            Locale.ROOT,
            "audit of %,d messages, %,d of them open",
            audit.messages(),
            audit.dead() + audit.waiting()),
        AUDIT_SECONDS,
        audit.seconds(),
        "s");
    aims.atMost("heap of that audit", AUDIT_MEGABYTES, audit.peakMegabytes(), "MB");
    aims.atMost(
        String.format(Locale.ROOT, "guard: %,d dead-lettered and released", guard.exhausted()),
        GUARD_SECONDS,
        guard.seconds(),
        "s");
    return List.copyOf(aims.aims);
  }

  static List<Aim> of(ConsoleReport console) {
    Aims aims = new Aims();
    String dead = String.format(Locale.ROOT, " of %,d dead letters", console.deadLetters());
    aims.atMost("first page" + dead, PAGE_MILLIS, console.pageMillis(), "ms");
    aims.atMost("filter" + dead, FILTER_MILLIS, console.filterMillis(), "ms");
    aims.atMost("heap of the console", CONSOLE_MEGABYTES, console.megabytes(), "MB");
    aims.atLeast(
        "a worker beside " + console.pages() + " open pages, of one alone",
        BESIDE_RATIO,
        console.ratio().median());
    return List.copyOf(aims.aims);
  }

  private void speed(Throughput throughput, Conditions conditions) {
    String workload = throughput.workload().title();
    if (throughput.workload().waits()) {
      if (conditions.virtualThreads()) {
        throughput
            .of(Contender.JETSTREAM_LEDGER)
            .flatMap(Throughput.Entry::shareOfIdeal)
            .ifPresent(share -> atLeast("(c) of the ideal: " + workload, SHARE_OF_IDEAL, share));
      }
      return;
    }
    Optional<Double> ledger = ratio(throughput, Contender.JETSTREAM_LEDGER);
    ledger.ifPresent(ratio -> atLeast("(c) to (a): " + workload, LEDGER_RATIO, ratio));
    ratio(throughput, Contender.REDIS_LEDGER)
        .ifPresent(ratio -> atLeast("(d) to (a): " + workload, REDIS_RATIO, ratio));
    Optional<Double> perMessage = ratio(throughput, Contender.REDIS_PER_MESSAGE);
    if (ledger.isPresent() && perMessage.isPresent()) {
      atLeast("(c) to (e): " + workload, TIMES_PER_MESSAGE_REDIS, ledger.get() / perMessage.get());
    }
  }

  private void latency(Latency latency) {
    latency
        .of(Contender.JETSTREAM_LEDGER)
        .ifPresent(
            entry ->
                atMost(
                    "p99 added by (c) at " + latency.perSecond() + " messages a second",
                    ADDED_P99_MILLIS,
                    entry.added().p99(),
                    "ms"));
  }

  private void size(LedgerSize size) {
    String behind = String.format(Locale.ROOT, " with %,d completions", size.completions());
    atMost("ledger in memory" + behind, HEAP_MEGABYTES, size.heapBytes() / MEGABYTE, "MB");
    atMost("ledger in the stream" + behind, STREAM_MEGABYTES, size.streamBytes() / MEGABYTE, "MB");
  }

  private static Optional<Double> ratio(Throughput throughput, Contender contender) {
    return throughput.of(contender).map(entry -> entry.ratioToBare().median());
  }

  /** Old servers count the messages of a subject in each file: what they take themselves counts. */
  private void growth(OrphanReport orphans) {
    double wanted = Math.max(SCAN_RATIO, orphans.serverRatio() * BESIDE_SERVER);
    atMost(
        String.format(
            Locale.ROOT,
            "of the time with %,d messages; the server alone: %.2f times",
            orphans.fewerMessages(),
            orphans.serverRatio()),
        wanted,
        orphans.ratio(),
        "times");
  }

  private void atLeast(String what, double wanted, double measured) {
    aims.add(new Aim(what, "at least " + number(wanted), number(measured), measured >= wanted));
  }

  private void atMost(String what, double wanted, double measured, String unit) {
    aims.add(
        new Aim(
            what,
            String.format(
                Locale.ROOT,
                wanted == Math.rint(wanted) ? "under %.0f %s" : "under %.2f %s",
                wanted,
                unit),
            String.format(Locale.ROOT, "%.2f %s", measured, unit),
            measured < wanted));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.0f", value);
  }
}
