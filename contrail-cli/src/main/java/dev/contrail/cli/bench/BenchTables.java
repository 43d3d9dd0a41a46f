package dev.contrail.cli.bench;

import dev.contrail.bench.report.BenchReport;
import dev.contrail.bench.report.Conditions;
import dev.contrail.bench.report.Latency;
import dev.contrail.bench.report.LedgerSize;
import dev.contrail.bench.report.Spread;
import dev.contrail.bench.report.Throughput;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Table;
import java.io.PrintWriter;
import java.util.Locale;

/** The report for people. */
final class BenchTables {
  private static final double MEGABYTE = 1_000_000;

  private final Surroundings surroundings;
  private final PrintWriter out;

  BenchTables(Surroundings surroundings) {
    this.surroundings = surroundings;
    this.out = surroundings.out();
  }

  void print(BenchReport report) {
    out.println(conditions(report.conditions()));
    report.throughput().forEach(throughput -> throughput(throughput, report.conditions()));
    report
        .leftOut()
        .forEach(
            one -> out.println("(" + one.id() + ") " + one.name() + " is left out: " + one.why()));
    latency(report.latency());
    memory(report);
    aims(report);
    out.flush();
  }

  private static String conditions(Conditions conditions) {
    return "nats-server "
        + conditions.serverVersion()
        + conditions.redisVersion().map(version -> ", Redis " + version).orElse("")
        + ", Java "
        + conditions.jdk()
        + ", "
        + conditions.cores()
        + " cores, "
        + conditions.system();
  }

  private void throughput(Throughput throughput, Conditions conditions) {
    boolean waits = throughput.workload().waits();
    title(throughput.workload().title());
    Table table =
        new Table()
            .wholeColumn("")
            .column("CONTENDER")
            .numberColumn("MESSAGES/S")
            .numberColumn("LOW")
            .numberColumn("HIGH")
            .numberColumn("TO (a)")
            .numberColumn("LOW")
            .numberColumn("HIGH");
    if (waits) {
      table.numberColumn("OF IDEAL");
    }
    for (Throughput.Entry entry : throughput.entries()) {
      Spread rate = entry.perSecond();
      Spread ratio = entry.ratioToBare();
      Object[] cells = {
        "(" + entry.id() + ")",
        entry.name(),
        count(rate.median()),
        count(rate.low()),
        count(rate.high()),
        ratio(ratio.median()),
        ratio(ratio.low()),
        ratio(ratio.high())
      };
      if (waits) {
        Object[] more = java.util.Arrays.copyOf(cells, cells.length + 1);
        more[cells.length] =
            entry.shareOfIdeal().map(share -> format("%.0f%%", share * 100)).orElse("");
        table.row(more);
      } else {
        table.row(cells);
      }
    }
    print(table);
    if (waits) {
      out.println(
          format(
              "The ideal is %,.0f/s: 500 handlers at once, %d ms each%s.",
              throughput.workload().idealPerSecond(),
              throughput.workload().handlerMillis(),
              conditions.virtualThreads()
                  ? ", on virtual threads"
                  : "; Java "
                      + conditions.jdk()
                      + " has no virtual threads (21 has), so 500 threads of the system are used"));
    }
  }

  private void latency(Latency latency) {
    title(
        format(
            "From publication to the handler, at %,d messages a second for %.0f s, in ms",
            latency.perSecond(), latency.seconds()));
    Table table =
        new Table()
            .wholeColumn("")
            .column("CONTENDER")
            .numberColumn("P50")
            .numberColumn("P99")
            .numberColumn("P99.9")
            .numberColumn("ADDED P50")
            .numberColumn("P99")
            .numberColumn("P99.9");
    for (Latency.Entry entry : latency.entries()) {
      table.row(
          "(" + entry.id() + ")",
          entry.name(),
          millis(entry.millis().p50()),
          millis(entry.millis().p99()),
          millis(entry.millis().p999()),
          millis(entry.added().p50()),
          millis(entry.added().p99()),
          millis(entry.added().p999()));
    }
    print(table);
  }

  private void memory(BenchReport report) {
    title("The JetStream ledger, with one sequence in a hundred missing");
    Table table =
        new Table()
            .numberColumn("COMPLETIONS")
            .numberColumn("IN MEMORY")
            .numberColumn("IN THE STREAM")
            .numberColumn("A LOOK-UP");
    for (LedgerSize size : report.ledgerSizes()) {
      table.row(
          format("%,d", size.completions()),
          megabytes(size.heapBytes()),
          megabytes(size.streamBytes()),
          format("%.0f ns", size.lookUpNanos()));
    }
    print(table);
    out.println(
        format(
            "Heap after %,d messages: %s (before: %s).",
            report.heap().messages(),
            megabytes(report.heap().afterBytes()),
            megabytes(report.heap().beforeBytes())));
    Spread start = report.start().millis();
    out.println(
        format(
            "Start with %,d completions behind: %.0f ms to the first message (%.0f to %.0f).",
            report.start().completions(), start.median(), start.low(), start.high()));
  }

  private void aims(BenchReport report) {
    title("What Contrail aims at, on two cores with a local server");
    print(AimTable.of(report.aims()));
  }

  private void title(String title) {
    out.println();
    out.println(title);
  }

  private void print(Table table) {
    out.print(table.render(surroundings.terminal()));
  }

  private static String count(double value) {
    return format("%,.0f", value);
  }

  private static String ratio(double value) {
    return format("%.2f", value);
  }

  private static String millis(double value) {
    return format("%.2f", value);
  }

  private static String megabytes(long bytes) {
    return format("%.2f MB", bytes / MEGABYTE);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
