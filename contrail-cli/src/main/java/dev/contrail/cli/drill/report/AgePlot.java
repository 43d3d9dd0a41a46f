package dev.contrail.cli.drill.report;

import java.util.List;
import java.util.Locale;

/** How old records were when they were needed, in steps of powers of two, beside AckWait. */
final class AgePlot {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 170;
  private static final int LEFT = 44;
  private static final int RIGHT = 14;
  private static final int TOP = 22;
  private static final int BOTTOM = 28;
  private static final int LEAST_STEPS = 14;

  private AgePlot() {}

  static String svg(List<Long> ages, long ackWaitMillis) {
    long most = ages.stream().mapToLong(Long::longValue).max().orElse(1);
    int steps = Math.max(LEAST_STEPS, step(Math.max(most, ackWaitMillis)) + 1);
    int[] counts = new int[steps];
    ages.forEach(age -> counts[step(age)]++);
    StringBuilder svg = new StringBuilder(4_000);
    svg.append("<svg class=\"plot\" viewBox=\"0 0 ")
        .append(WIDTH)
        .append(' ')
        .append(HEIGHT)
        .append("\" role=\"img\" aria-label=\"ages of records\">\n");
    double width = (double) (WIDTH - LEFT - RIGHT) / steps;
    int highest = java.util.Arrays.stream(counts).max().orElse(1);
    for (int i = 0; i < steps; i++) {
      bar(svg, i, width, counts[i], highest, from(i) >= ackWaitMillis);
    }
    double line = LEFT + width * position(ackWaitMillis);
    svg.append(
        String.format(
            Locale.ROOT,
            "<line class=\"limit\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/><text"
                + " class=\"limit\" x=\"%.1f\" y=\"14\" text-anchor=\"middle\">AckWait %s</text>%n",
            line,
            TOP - 4,
            line,
            HEIGHT - BOTTOM,
            line,
            Words.time(ackWaitMillis)));
    return svg.append("</svg>\n").toString();
  }

  private static void bar(
      StringBuilder svg, int step, double width, int count, int highest, boolean late) {
    // By logarithm: one that came late matters more than how many came at once.
    double share = count == 0 ? 0 : Math.log(count + 1.0) / Math.log(highest + 1.0);
    double height = (HEIGHT - TOP - BOTTOM) * share;
    double x = LEFT + width * step;
    svg.append(
        String.format(
            Locale.ROOT,
            "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\"/>%n",
            late ? "bar late" : "bar",
            x + 2,
            HEIGHT - BOTTOM - height,
            width - 4,
            height));
    if (count > 0) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%d</text>%n",
              x + width / 2,
              HEIGHT - BOTTOM - height - 3,
              count));
    }
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
            x,
            HEIGHT - 8,
            Words.time(from(step))));
  }

  /** 0 for below 1 ms, 1 for below 2 ms, 2 for below 4 ms and so on. */
  private static int step(long millis) {
    return Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, millis));
  }

  private static long from(int step) {
    return step == 0 ? 0 : 1L << (step - 1);
  }

  private static double position(long millis) {
    int step = step(millis);
    return step + (double) (millis - from(step)) / Math.max(1, from(step + 1) - from(step));
  }
}
