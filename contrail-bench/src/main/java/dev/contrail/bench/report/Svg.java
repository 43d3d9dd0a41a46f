package dev.contrail.bench.report;

import java.util.Locale;

/** Writes an SVG picture piece by piece, dark on white. */
final class Svg {
  static final String INK = "#1f2933";
  static final String PALE = "#8895a3";
  static final String LINE = "#d5dbe1";

  private final StringBuilder body = new StringBuilder();

  /** Text that begins, is centred or ends at {@code x}, by {@code anchor} start, middle or end. */
  Svg text(double x, double y, int size, String colour, String anchor, String text) {
    append(
        "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" fill=\"%s\" text-anchor=\"%s\">%s</text>",
        x, y, size, colour, anchor, escaped(text));
    return this;
  }

  Svg title(double x, double y, int size, String text) {
    append(
        "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" font-weight=\"bold\" fill=\"%s\">%s</text>",
        x, y, size, INK, escaped(text));
    return this;
  }

  Svg bar(double x, double y, double width, double height, String colour) {
    append(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\" fill=\"%s\"/>",
        x, y, Math.max(0, width), height, colour);
    return this;
  }

  Svg dot(double x, double y, double radius, String colour) {
    append("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>", x, y, radius, colour);
    return this;
  }

  Svg line(double x1, double y1, double x2, double y2, String colour) {
    append(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>",
        x1, y1, x2, y2, colour);
    return this;
  }

  /** The whole picture. */
  String render(int width, double height) {
    return String.format(
        Locale.ROOT,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d"
            + " %.0f\" font-family=\"system-ui, 'DejaVu Sans', Helvetica, Arial, sans-serif\">%n"
            + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n%s</svg>%n",
        width,
        height,
        width,
        height,
        body);
  }

  private void append(String pattern, Object... values) {
    body.append(String.format(Locale.ROOT, pattern, values)).append('\n');
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
