package dev.contrail.cli.guard;

import dev.contrail.Durations;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.WrappedText;
import dev.contrail.operations.guard.GuardEvent;
import dev.contrail.operations.guard.GuardOptions;
import dev.contrail.operations.guard.GuardStatus;
import dev.contrail.operations.view.PlainText;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * What a guard does, for people: what happened within a second to the messages of one consumer is
 * one line.
 */
final class GuardLog implements GuardVoice {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneOffset.UTC);
  private static final int MOST_NAMES = 10;
  private static final String LABELS = "  %-11s ";
  private static final String TIMES = "          ";

  private final Surroundings surroundings;
  private final String server;
  private final GuardOptions options;
  private final boolean goesOn;
  private final boolean rehearses;
  private final Clock clock = Clock.systemUTC();
  private final ActSummary acts = new ActSummary();
  private final ScheduledExecutorService everySecond =
      Executors.newSingleThreadScheduledExecutor(
          body -> {
            Thread thread = new Thread(body, "contrail-guard-log");
            thread.setDaemon(true);
            return thread;
          });
  private String lastSweep = "";

  /** How long a guard goes on. */
  enum Mode {
    UNTIL_STOPPED,
    ONCE,
    DRY_RUN
  }

  GuardLog(Surroundings surroundings, String server, GuardOptions options, Mode mode) {
    this.surroundings = surroundings;
    this.server = server;
    this.options = options;
    this.goesOn = mode == Mode.UNTIL_STOPPED;
    this.rehearses = mode == Mode.DRY_RUN;
    var unused = everySecond.scheduleWithFixedDelay(this::flush, 1, 1, TimeUnit.SECONDS);
  }

  @Override
  public synchronized void told(GuardEvent event) {
    if (acts.add(event)) {
      return;
    }
    if (event instanceof GuardEvent.Started started) {
      banner(started);
    } else if (event instanceof GuardEvent.Trouble) {
      flush();
      surroundings.err().println("contrail: " + PlainText.of(event.sentence()));
      surroundings.err().flush();
    } else if (event instanceof GuardEvent.Swept swept) {
      swept(swept);
    } else {
      flush();
      line(event.sentence());
    }
  }

  private void banner(GuardEvent.Started started) {
    surroundings.out().println(PlainText.of("Guard of " + server + ", as " + options.by()));
    labelled("looks at", names(started.watched(), "no stream yet"));
    labelled("takes from", releasable(started));
    if (goesOn) {
      labelled("sweeps", "every " + Durations.format(options.sweepEvery()));
      if (surroundings.terminal().outIsTerminal()) {
        surroundings.out().println("Ctrl-C ends.");
      }
    }
    surroundings.out().flush();
  }

  private String releasable(GuardEvent.Started started) {
    if (!options.release().all() && options.release().streams().isEmpty()) {
      return "none: it copies, and --release STREAM lets it take away what it copied";
    }
    List<String> missing =
        options.release().streams().stream()
            .filter(it -> !started.releasable().contains(it))
            .sorted()
            .toList();
    return names(started.releasable(), "none that is there yet")
        + (missing.isEmpty() ? "" : "; when it comes, " + names(missing, ""))
        + (options.release().all() ? ", and any that comes" : "");
  }

  private static String names(List<String> streams, String none) {
    if (streams.isEmpty()) {
      return none;
    }
    List<String> shown = streams.subList(0, Math.min(MOST_NAMES, streams.size()));
    return String.join(", ", shown)
        + (shown.size() < streams.size()
            ? " and " + (streams.size() - shown.size()) + " more"
            : "");
  }

  /** The same again and again is no news. */
  private void swept(GuardEvent.Swept swept) {
    String found = swept.found() + " " + swept.suspected();
    boolean news = !goesOn || (!found.equals(lastSweep) && !found.equals("0 0"));
    lastSweep = found;
    if (news) {
      flush();
      line(swept.sentence());
    }
  }

  @Override
  public synchronized void ended(GuardStatus status) {
    flush();
    if (rehearses) {
      line("Nothing was touched; without --dry-run it is done.");
      return;
    }
    List<String> parts = new ArrayList<>();
    parts.add(count(status.advisories(), "advisory", "advisories"));
    parts.add(number(status.buried()) + " dead-lettered");
    parts.add(number(status.released()) + " released");
    if (status.waiting() > 0) {
      parts.add(number(status.waiting()) + " to be released later");
    }
    if (status.failures() > 0) {
      parts.add(count(status.failures(), "failure", "failures"));
    }
    line("Ended: " + String.join(", ", parts) + ".");
  }

  static String count(long count, String one, String many) {
    return number(count) + " " + (count == 1 ? one : many);
  }

  static String number(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  private synchronized void flush() {
    acts.take().forEach(this::line);
  }

  private void labelled(String label, String text) {
    String start = LABELS.formatted(label);
    print(start, " ".repeat(start.length()), text);
  }

  private void line(String text) {
    print(TIME.format(clock.instant()) + "  ", TIMES, text);
  }

  private void print(String start, String indent, String text) {
    WrappedText.print(
        surroundings.out(), surroundings.terminal(), start, indent, PlainText.of(text));
    surroundings.out().flush();
  }

  @Override
  public void close() {
    everySecond.shutdownNow();
    flush();
  }
}
