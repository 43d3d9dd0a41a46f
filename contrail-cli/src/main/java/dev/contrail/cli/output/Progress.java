package dev.contrail.cli.output;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How far long work has come: a bar that is redrawn on a terminal, a line now and then elsewhere.
 * It goes to standard error, so that standard output stays with the answer. Safe for several
 * threads.
 */
public final class Progress implements AutoCloseable {
  private static final long BAR_EVERY = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LINE_EVERY = TimeUnit.SECONDS.toNanos(5);
  private static final int WIDEST_BAR = 40;
  private static final int ROOM_FOR_NUMBERS = 34;

  private final PrintWriter err;
  private final Terminal terminal;
  private final String label;
  private final long total;
  private final LongSupplier nanoTime;

  private long done;
  private long shownAt;
  private long shownDone = -1;

  /**
   * Starts showing.
   *
   * @param label what is being done, in a few words
   * @param total how much there is to do
   * @param nanoTime a clock that only ever moves forward
   */
  public Progress(
      PrintWriter err, Terminal terminal, String label, long total, LongSupplier nanoTime) {
    this.err = err;
    this.terminal = terminal;
    this.label = PlainText.of(label);
    this.total = total;
    this.nanoTime = nanoTime;
    this.shownAt = nanoTime.getAsLong();
  }

  /** Says that so much of the total is done. */
  public synchronized void done(long soMuch) {
    done = soMuch;
    long now = nanoTime.getAsLong();
    if (now - shownAt >= (terminal.errIsTerminal() ? BAR_EVERY : LINE_EVERY)) {
      shownAt = now;
      show();
    }
  }

  /** Says something beside it, on a line of its own. */
  public synchronized void say(String sentence) {
    String clear = terminal.errIsTerminal() ? "\r\u001B[K" : "";
    err.println(clear + PlainText.of(sentence));
    err.flush();
    if (terminal.errIsTerminal()) {
      show();
    }
  }

  /** Shows where it ended, unless there was nothing to do. */
  @Override
  public synchronized void close() {
    if (total == 0 && done == 0) {
      return;
    }
    if (shownDone != done) {
      show();
    }
    if (terminal.errIsTerminal()) {
      err.println();
      err.flush();
    }
  }

  private void show() {
    shownDone = done;
    if (terminal.errIsTerminal()) {
      err.print("\r" + label + " " + bar() + " " + numbers() + "\u001B[K");
    } else {
      err.println(label + ": " + numbers());
    }
    err.flush();
  }

  private String bar() {
    int room = terminal.columns() - DisplayWidth.of(label) - ROOM_FOR_NUMBERS;
    int width = Math.max(0, Math.min(WIDEST_BAR, room));
    int full = total == 0 ? width : (int) (width * Math.min(done, total) / total);
    return "█".repeat(full) + "░".repeat(width - full);
  }

  private String numbers() {
    long percent = total == 0 ? 100 : 100 * Math.min(done, total) / total;
    return done + " of " + total + " (" + percent + "%)";
  }
}
