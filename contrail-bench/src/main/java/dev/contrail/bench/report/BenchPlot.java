package dev.contrail.bench.report;

import java.util.List;
import java.util.Locale;

/** The report as a picture: ratios with their spread, latency, and the growth of the ledger. */
public final class BenchPlot {
  private static final int WIDTH = 960;
  private static final int LEFT = 40;
  private static final int PLOT = 300;
  private static final int PLOT_WIDTH = 440;
  private static final int NUMBERS = PLOT + PLOT_WIDTH + 20;
  private static final int ROW = 26;
  private static final int BAR = 14;
  private static final double LEAST_SCALE = 1.2;
  private static final double MOST_SCALE = 2;
  private static final double FASTEST_MILLIS = 0.01;
  private static final List<String> COLOURS =
      List.of("#5b6b7b", "#4c8bc9", "#1f6fb5", "#2a9d6f", "#d1695a", "#a98b4f");
  private static final List<String> SHADES = List.of("#4c8bc9", "#e0a03a", "#c4483a");

  private final Svg svg = new Svg();
  private double y = 40;

  private BenchPlot() {}

  /** An SVG document. */
  public static String svg(BenchReport report) {
    BenchPlot plot = new BenchPlot();
    plot.head(report);
    report.throughput().forEach(plot::throughput);
    plot.latency(report.latency());
    plot.ledgerSizes(report.ledgerSizes());
    plot.foot(report);
    return plot.svg.render(WIDTH, plot.y);
  }

  private void head(BenchReport report) {
    Conditions conditions = report.conditions();
    svg.title(LEFT, y, 20, "What Contrail costs, beside bare clients");
    y += 22;
    say(
        "nats-server "
            + conditions.serverVersion()
            + conditions.redisVersion().map(version -> ", Redis " + version).orElse("")
            + ", Java "
            + conditions.jdk()
            + ", "
            + conditions.cores()
            + " cores; "
            + report.options().rounds()
            + " rounds of each, in turns; "
            + report.options().window()
            + " messages in flight");
    y += 10;
  }

  private void throughput(Throughput throughput) {
    section(
        throughput.workload().title(),
        "times (a) · rate"
            + (throughput.workload().waits() ? " · share of the ideal" : "")
            + "; lines from lowest to highest");
    double highest =
        throughput.entries().stream().mapToDouble(e -> e.ratioToBare().high()).max().orElse(1);
    double scale = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, highest));
    double top = y;
    for (Throughput.Entry entry : throughput.entries()) {
      Spread ratio = entry.ratioToBare();
      label(entry.id(), entry.name());
      svg.bar(PLOT, y - BAR + 3, width(ratio.median(), scale), BAR, colour(entry.id()));
      double middle = y - BAR / 2.0 + 3;
      svg.line(
          PLOT + width(ratio.low(), scale),
          middle,
          PLOT + width(ratio.high(), scale),
          middle,
          Svg.INK);
      String share = entry.shareOfIdeal().map(part -> format(" · %.0f%%", part * 100)).orElse("");
      numbers(format("%.2f · %,.0f/s%s", ratio.median(), entry.perSecond().median(), share));
      y += ROW;
    }
    double one = PLOT + width(1, scale);
    svg.line(one, top - BAR - 2, one, y - ROW + 8, Svg.PALE);
    svg.text(one, y - 6, 11, Svg.PALE, "middle", "1.0");
    y += 4;
  }

  private void latency(Latency latency) {
    section(
        format("Publication to handler, at %,d messages a second", latency.perSecond()),
        "ms on a logarithmic scale: p50, p99, p99.9");
    double slowest =
        latency.entries().stream().mapToDouble(entry -> entry.millis().p999()).max().orElse(1);
    double decades = Math.ceil(Math.log10(Math.max(1, slowest) / FASTEST_MILLIS));
    double top = y;
    for (Latency.Entry entry : latency.entries()) {
      label(entry.id(), entry.name());
      double[] values = {entry.millis().p50(), entry.millis().p99(), entry.millis().p999()};
      svg.line(logX(values[0], decades), y - 4, logX(values[2], decades), y - 4, Svg.LINE);
      for (int i = 0; i < values.length; i++) {
        svg.dot(logX(values[i], decades), y - 4, 5, SHADES.get(i));
      }
      numbers(format("%.2f · %.2f · %.2f", values[0], values[1], values[2]));
      y += ROW;
    }
    for (int decade = 0; decade <= decades; decade++) {
      double value = FASTEST_MILLIS * Math.pow(10, decade);
      double x = logX(value, decades);
      svg.line(x, top - BAR - 2, x, y - ROW + 8, Svg.LINE);
      svg.text(x, y - 6, 11, Svg.PALE, "middle", number(value));
    }
    y += 4;
  }

  private void ledgerSizes(List<LedgerSize> sizes) {
    section("The JetStream ledger as it grows", "MB in memory (upper) and in the stream (lower)");
    double most =
        sizes.stream().mapToDouble(s -> Math.max(s.heapBytes(), s.streamBytes())).max().orElse(1);
    for (LedgerSize size : sizes) {
      svg.text(PLOT - 10, y, 12, Svg.INK, "end", format("%,d completions", size.completions()));
      double half = BAR / 2.0;
      svg.bar(PLOT, y - BAR + 3, width((double) size.heapBytes(), most), half, COLOURS.get(2));
      svg.bar(PLOT, y - half + 3, width((double) size.streamBytes(), most), half, COLOURS.get(3));
      numbers(
          format(
              "%.2f · %.2f · %.0f ns a look-up",
              size.heapBytes() / 1e6, size.streamBytes() / 1e6, size.lookUpNanos()));
      y += ROW;
    }
  }

  private void foot(BenchReport report) {
    y += 8;
    say(
        format(
            "Start with %,d completions behind: %.0f ms. Heap after %,d messages: %.1f MB, before"
                + " %.1f MB.",
            report.start().completions(),
            report.start().millis().median(),
            report.heap().messages(),
            report.heap().afterBytes() / 1e6,
            report.heap().beforeBytes() / 1e6));
    report.leftOut().forEach(one -> say("(" + one.id() + ") is left out: " + one.why() + "."));
    y += 10;
  }

  private void section(String title, String hint) {
    y += 26;
    svg.title(LEFT, y, 14, title);
    svg.text(WIDTH - LEFT, y, 12, Svg.PALE, "end", hint);
    y += 28;
  }

  private void label(String id, String name) {
    svg.text(PLOT - 10, y, 12, Svg.INK, "end", "(" + id + ") " + name);
  }

  private void numbers(String text) {
    svg.text(NUMBERS, y, 12, Svg.INK, "start", text);
  }

  private void say(String sentence) {
    svg.text(LEFT, y, 12, Svg.INK, "start", sentence);
    y += 18;
  }

  private static String colour(String id) {
    return COLOURS.get((id.charAt(0) - 'a') % COLOURS.size());
  }

  private static double width(double value, double scale) {
    return PLOT_WIDTH * Math.min(value, scale) / scale;
  }

  private static double logX(double millis, double decades) {
    double position = Math.log10(Math.max(FASTEST_MILLIS, millis) / FASTEST_MILLIS) / decades;
    return PLOT + PLOT_WIDTH * Math.min(1, position);
  }

  private static String number(double value) {
    return value >= 1 ? format("%.0f", value) : Double.toString(Decimals.round(value, 2));
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
