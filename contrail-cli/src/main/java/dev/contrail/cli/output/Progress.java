package dev.contrail.cli.output;

import dev.contrail.Durations;
import dev.contrail.operations.view.PlainText;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
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
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int WIDEST_BAR = 40;
  private static final int ROOM_FOR_NUMBERS = 34;
  private static final int ROOM_FOR_PACE = 20;

  private final PrintWriter err;
  private final Terminal terminal;
  private final String label;
  private final long total;
  private final LongSupplier nanoTime;
  private final boolean rate;
  private final long beganAt;

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
    this(err, terminal, label, total, nanoTime, false);
  }

  /** The same, which also tells how fast it goes and how long it still takes at that pace. */
  public static Progress withRate(
      PrintWriter err, Terminal terminal, String label, long total, LongSupplier nanoTime) {
    return new Progress(err, terminal, label, total, nanoTime, true);
  }

  private Progress(
      PrintWriter err,
      Terminal terminal,
      String label,
      long total,
      LongSupplier nanoTime,
      boolean rate) {
    this.err = err;
    this.terminal = terminal;
    this.label = PlainText.of(label);
    this.total = total;
    this.nanoTime = nanoTime;
    this.rate = rate;
    this.beganAt = nanoTime.getAsLong();
    this.shownAt = beganAt;
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
    int room =
        terminal.columns() - DisplayWidth.of(label) - ROOM_FOR_NUMBERS - (rate ? ROOM_FOR_PACE : 0);
    int width = Math.max(0, Math.min(WIDEST_BAR, room));
    int full = total == 0 ? width : (int) (width * Math.min(done, total) / total);
    return "█".repeat(full) + "░".repeat(width - full);
  }

  private String numbers() {
    long percent = total == 0 ? 100 : 100 * Math.min(done, total) / total;
    return done + " of " + total + " (" + percent + "%)" + (rate ? pace() : "");
  }

  private String pace() {
    double seconds = Math.max(nanoTime.getAsLong() - beganAt, 1) / NANOS_PER_SECOND;
    double perSecond = done / seconds;
    if (done == 0) {
      return "";
    }
    Duration left = Duration.ofSeconds((long) Math.ceil(Math.max(total - done, 0) / perSecond));
    return String.format(Locale.ROOT, ", %.0f/s, ", perSecond) + Durations.format(left) + " left";
  }
}
