package dev.contrail.cli.bench;

import dev.contrail.bench.Progress;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.DisplayWidth;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * How far the bench has come, on standard error: a bar that keeps changing on a terminal, elsewhere
 * only what was found.
 */
final class BenchScreen implements Progress {
  private static final String CLEAR_LINE = "\r\u001B[2K";
  private static final int BAR = 20;

  private final Surroundings surroundings;
  private final PrintWriter err;
  private final boolean live;
  private String bar = "";

  BenchScreen(Surroundings surroundings) {
    this.surroundings = surroundings;
    this.err = surroundings.err();
    this.live = surroundings.terminal().errIsTerminal();
  }

  @Override
  public void begins(int done, int all, String what) {
    if (live) {
      // One that wraps could not be cleared as a whole.
      int room = surroundings.terminal().columns() - 1;
      bar = DisplayWidth.fit(bar(done, all) + " " + what, room);
      err.print(CLEAR_LINE + bar);
      err.flush();
    }
  }

  @Override
  public void found(String line) {
    err.print(bar.isEmpty() ? "" : CLEAR_LINE);
    err.println("contrail: " + line);
    err.print(bar);
    err.flush();
  }

  /** Takes the bar away. */
  void end() {
    if (!bar.isEmpty()) {
      err.print(CLEAR_LINE);
      err.flush();
      bar = "";
    }
  }

  static String bar(int done, int all) {
    int full = BAR * done / all;
    return String.format(
        Locale.ROOT, "[%s%s] %3d%%", "#".repeat(full), ".".repeat(BAR - full), 100 * done / all);
  }
}
