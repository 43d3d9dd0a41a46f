package dev.contrail.cli.demo;

import dev.contrail.Durations;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.DisplayWidth;
import dev.contrail.cli.output.Table;
import dev.contrail.evidence.DeadLetterSummary;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** What a person sees of the demo: a line that keeps changing, and a summary at the end. */
final class DemoScreen {
  /** How the program was started, so that what is shown can be typed. */
  private static final String COMMAND = System.getProperty("contrail.command", "contrail");

  private static final String CLEAR_LINE = "\r\u001B[2K";

  private final Surroundings surroundings;
  private final boolean live;

  DemoScreen(Surroundings surroundings) {
    this.surroundings = surroundings;
    this.live = surroundings.terminal().outIsTerminal();
  }

  boolean isLive() {
    return live;
  }

  void introduce(String server, String version, URI console, boolean endsByItself) {
    PrintWriter out = surroundings.out();
    out.println("Contrail for NATS: a demonstration");
    out.println();
    out.println("  nats-server " + version + " runs at " + server + ", only for this demo.");
    out.println("  Customers publish orders; one worker charges them. The bank is busy now and");
    out.println("  then, some orders are broken, and one customer hits a bug in the handler. A");
    out.println("  courier that knows nothing of Contrail gives up on parcels, and loses some.");
    out.println();
    out.println("  The console, in a browser: " + console + "/");
    out.println("  Or look around from another terminal:");
    out.println("    " + COMMAND + " dlq ls -s " + server);
    out.println("    " + COMMAND + " dlq show ID -s " + server);
    if (!endsByItself) {
      out.println();
      out.println("  Ctrl-C ends it.");
    }
    out.println();
    out.flush();
  }

  void show(Duration elapsed, DemoProgress progress) {
    String line =
        String.format(
            Locale.ROOT,
            "%6s  published %,d  processed %,d  retries %,d  dead %,d  waiting %,d",
            Durations.format(Duration.ofSeconds(elapsed.toSeconds())),
            progress.published(),
            progress.processed(),
            progress.retries(),
            progress.dead(),
            progress.waiting());
    if (live) {
      // One that wraps could not be cleared as a whole.
      int room = surroundings.terminal().columns() - 1;
      surroundings.out().print(CLEAR_LINE + DisplayWidth.fit(line, room));
    } else {
      surroundings.out().println(line);
    }
    surroundings.out().flush();
  }

  /** Leaves the line that keeps changing as it is, so that something else can be said. */
  void leaveLine() {
    if (live) {
      surroundings.out().println();
    }
  }

  void summarize(Duration elapsed, DemoTally tally, List<DeadLetterSummary> dead) {
    PrintWriter out = surroundings.out();
    if (live) {
      out.print(CLEAR_LINE);
    }
    Table table = new Table().column("ORDERS").numberColumn("COUNT").column("WHAT BECAME OF THEM");
    table.row("published", number(tally.published()), "in " + Durations.format(elapsed));
    table.row("processed", number(tally.processed()), "recorded as done, then acknowledged");
    table.row(
        "  retries", number(tally.retries()), "deliveries that failed and came again in time");
    table.row(
        "  deduplicated",
        number(tally.deduplicated()),
        "delivered again though done: not run again");
    table.row(
        "dead: rejected", number(tally.rejected()), "the handler said never: nothing to charge");
    table.row("dead: undecodable", number(tally.undecodable()), "corrupt JSON, tried three times");
    table.row("dead: delivery-limit", number(tally.deliveryLimit()), "the bug: failed every time");
    table.row("waiting", number(tally.waiting()), "in the stream: new, or waiting for a retry");
    out.print(table.render(surroundings.terminal()));
    out.println(
        tally.unaccounted() == 0
            ? "Every order is accounted for: processed, dead with its evidence, or waiting."
            : tally.unaccounted() + " orders are not accounted for.");
    if (!dead.isEmpty()) {
      out.println();
      out.println("The evidence of the latest deaths (dlq ls shows all):");
      Table evidence = new Table().wholeColumn("ID").wholeColumn("REASON").column("WHAT HAPPENED");
      dead.stream()
          .limit(5)
          .forEach(
              letter ->
                  evidence.row(letter.id(), letter.reason().text(), letter.exceptionMessage()));
      out.print(evidence.render(surroundings.terminal()));
    }
    out.flush();
  }

  private static String number(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
