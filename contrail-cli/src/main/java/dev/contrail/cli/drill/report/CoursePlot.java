package dev.contrail.cli.drill.report;

import java.util.List;
import java.util.Locale;

/** How much was done by when, with what was done to the workers meanwhile. */
final class CoursePlot {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 190;
  private static final int LEFT = 44;
  private static final int RIGHT = 14;
  private static final int TOP = 14;
  private static final int BOTTOM = 28;

  private final ScenarioResult result;
  private final long end;
  private final int most;
  private final StringBuilder svg = new StringBuilder(8_000);

  private CoursePlot(ScenarioResult result) {
    this.result = result;
    long lastDone = last(result.doneMillis());
    long lastMoment = last(result.timeline().stream().map(Moment::millis).toList());
    this.end = Math.max(1, Math.max(lastDone, lastMoment));
    this.most = Math.max(1, result.doneMillis().size());
  }

  static String svg(ScenarioResult result) {
    return new CoursePlot(result).draw();
  }

  private static long last(List<Long> times) {
    return times.stream().mapToLong(Long::longValue).max().orElse(0);
  }

  private String draw() {
    svg.append("<svg class=\"plot\" viewBox=\"0 0 ")
        .append(WIDTH)
        .append(' ')
        .append(HEIGHT)
        .append("\" role=\"img\" aria-label=\"work done over time\">\n");
    axes();
    outages();
    curve();
    marks();
    return svg.append("</svg>\n").toString();
  }

  private void axes() {
    line("axis", x(0), y(0), x(end), y(0));
    label("end", LEFT - 6, y(most) + 4, String.valueOf(most));
    label("end", LEFT - 6, y(0) + 4, "0");
    long step = step(end);
    for (long at = 0; at <= end; at += step) {
      line("grid", x(at), y(0), x(at), y(most));
      label("middle", x(at), HEIGHT - 8, Words.time(at));
    }
  }

  private static long step(long end) {
    for (long step : new long[] {500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000}) {
      if (end / step <= 10) {
        return step;
      }
    }
    return Math.max(1, end / 10);
  }

  /** From a fault until what was away is back. */
  private void outages() {
    long from = -1;
    for (Moment moment : result.timeline()) {
      if (moment.kind() == Moment.Kind.FAULT || moment.kind() == Moment.Kind.KILL) {
        from = moment.millis();
      } else if (moment.kind() == Moment.Kind.BACK && from >= 0) {
        svg.append(
            String.format(
                Locale.ROOT,
                "<rect class=\"outage\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%.1f\"/>%n",
                x(from),
                TOP,
                Math.max(1, x(moment.millis()) - x(from)),
                y(0) - TOP));
        from = -1;
      }
    }
  }

  private void curve() {
    StringBuilder path = new StringBuilder("M").append(point(0, 0));
    List<Long> done = result.doneMillis();
    for (int i = 0; i < done.size(); i++) {
      path.append('L').append(point(done.get(i), i)).append('L').append(point(done.get(i), i + 1));
    }
    path.append('L').append(point(end, done.size()));
    svg.append("<path class=\"done\" d=\"").append(path).append("\"/>\n");
  }

  private void marks() {
    for (Moment moment : result.timeline()) {
      if (moment.kind() == Moment.Kind.STEP) {
        continue;
      }
      String kind = moment.kind().text();
      svg.append("<g class=\"mark ").append(kind).append("\"><title>");
      svg.append(HtmlReport.text(Words.time(moment.millis()) + ": " + moment.what()));
      svg.append("</title>");
      line("stem", x(moment.millis()), TOP, x(moment.millis()), y(0));
      svg.append(
          String.format(
              Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%d\" r=\"5\"/>", x(moment.millis()), TOP));
      svg.append("</g>\n");
    }
  }

  private String point(long millis, int count) {
    return String.format(Locale.ROOT, "%.1f %.1f", x(millis), y(count));
  }

  private double x(long millis) {
    return LEFT + (double) (WIDTH - LEFT - RIGHT) * millis / end;
  }

  private double y(int count) {
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - (double) count / most);
  }

  private void line(String kind, double x1, double y1, double x2, double y2) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>%n",
            kind,
            x1,
            y1,
            x2,
            y2));
  }

  private void label(String anchor, double x, double y, String text) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>%n",
            anchor,
            x,
            y,
            HtmlReport.text(text)));
  }
}
