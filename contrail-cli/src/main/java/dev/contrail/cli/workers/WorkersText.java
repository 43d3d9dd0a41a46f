package dev.contrail.cli.workers;

import dev.contrail.cli.output.Table;
import dev.contrail.jetstream.report.WorkerReport;
import dev.contrail.operations.view.Age;
import dev.contrail.operations.workers.Roll;
import dev.contrail.operations.workers.WorkerSeen;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Workers for people. */
final class WorkersText {
  private final WorkersTools tools;
  private final Instant now;

  WorkersText(WorkersTools tools, Instant now) {
    this.tools = tools;
    this.now = now;
  }

  void print(Roll roll) {
    if (roll.workers().isEmpty()) {
      tools.say("No worker has told what it is doing in the last 30 s.");
    } else {
      print(workers(roll));
    }
    if (roll.workers().stream().anyMatch(it -> it.retrying() > 0)) {
      print(retrying(roll));
    }
    roll.pauses()
        .forEach(
            it ->
                tools.say(
                    WorkersTools.sentence(it, now)
                        + "; "
                        + "end it with: "
                        + WorkersTools.resume(it.scope())));
    roll.unreadable().forEach(tools::note);
  }

  private void print(Table table) {
    tools.surroundings().out().print(table.render(tools.surroundings().terminal()));
    tools.surroundings().out().flush();
  }

  private Table workers(Roll roll) {
    Table table =
        new Table()
            .wholeColumn("STREAM")
            .wholeColumn("CONSUMER")
            .column("WORKER")
            .column("STATE")
            .numberColumn("DONE/S")
            .numberColumn("IN FLIGHT")
            .numberColumn("HELD")
            .numberColumn("RETRYING")
            .numberColumn("OLDEST")
            .numberColumn("UP");
    roll.workers()
        .forEach(
            seen -> {
              WorkerReport report = seen.report();
              table.row(
                  report.who().stream(),
                  report.who().consumer(),
                  report.who().name(),
                  state(seen),
                  rate(report.perSecond().processed()),
                  number(report.load().inFlight()),
                  number(report.load().held()),
                  number(seen.retrying()),
                  report.load().oldestRunning().map(it -> Age.of(it, now)).orElse(""),
                  Age.of(report.who().startedAt(), now));
            });
    return table;
  }

  private String state(WorkerSeen seen) {
    List<String> states = new ArrayList<>();
    if (seen.isPaused()) {
      states.add("paused");
    } else if (seen.isAboutToPause()) {
      states.add("told to pause");
    }
    seen.report()
        .breaker()
        .ifPresent(it -> states.add("breaker open for " + Age.of(it.since(), now)));
    seen.report()
        .holds()
        .forEach(it -> states.add("waits for " + it.what() + " for " + Age.of(it.since(), now)));
    return states.isEmpty() ? "working" : String.join(", ", states);
  }

  private static Table retrying(Roll roll) {
    Table table =
        new Table()
            .wholeColumn("RETRYING")
            .wholeColumn("CONSUMER")
            .numberColumn("MESSAGES")
            .numberColumn("DELIVERIES")
            .column("WHAT");
    roll.workers()
        .forEach(
            seen ->
                seen.report()
                    .retrying()
                    .forEach(
                        it ->
                            table.row(
                                it.fingerprint(),
                                seen.report().who().stream() + " " + seen.report().who().consumer(),
                                number(it.messages()),
                                "up to " + number(it.mostDeliveries()),
                                it.what())));
    return table;
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String rate(double rate) {
    return String.format(Locale.ROOT, rate < 10 ? "%.1f" : "%,.0f", rate);
  }
}
