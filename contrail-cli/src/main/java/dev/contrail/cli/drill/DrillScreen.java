package dev.contrail.cli.drill;

import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.DisplayWidth;
import dev.contrail.operations.view.PlainText;
import java.io.PrintWriter;

/**
 * How far the drill has come, on standard error: a bar that keeps changing on a terminal, elsewhere
 * a line for whatever is done to workers, stores and servers. Thread-safe.
 */
final class DrillScreen implements AutoCloseable {
  private static final String CLEAR_LINE = "\r\u001B[2K";
  private static final int BAR = 20;

  private final Surroundings surroundings;
  private final PrintWriter err;
  private final boolean live;
  private int all = 1;
  private int done;
  private String last = "";

  DrillScreen(Surroundings surroundings) {
    this.surroundings = surroundings;
    this.err = surroundings.err();
    this.live = surroundings.terminal().errIsTerminal();
  }

  synchronized void begin(int scenarios) {
    all = Math.max(1, scenarios);
    done = 0;
    draw();
  }

  /** In that scenario, that happened. */
  synchronized void happened(String scenario, String what) {
    last = scenario + ": " + what;
    if (live) {
      draw();
    } else {
      err.println("contrail: " + PlainText.of(last));
      err.flush();
    }
  }

  synchronized void ended(String line) {
    done++;
    say(line);
  }

  synchronized void say(String line) {
    err.print(live ? CLEAR_LINE : "");
    err.println("contrail: " + PlainText.of(line));
    draw();
    err.flush();
  }

  private void draw() {
    if (live) {
      int full = BAR * done / all;
      String bar = "█".repeat(full) + "░".repeat(BAR - full);
      // One that wraps could not be cleared as a whole.
      int room = surroundings.terminal().columns() - 1;
      String line = bar + " " + done + " of " + all + "  " + PlainText.of(last);
      err.print(CLEAR_LINE + DisplayWidth.fit(line, room));
      err.flush();
    }
  }

  /** Takes the bar away. */
  @Override
  public synchronized void close() {
    if (live) {
      err.print(CLEAR_LINE);
      err.flush();
    }
  }
}
