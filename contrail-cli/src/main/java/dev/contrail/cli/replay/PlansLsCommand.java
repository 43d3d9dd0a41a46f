package dev.contrail.cli.replay;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.output.Age;
import dev.contrail.cli.output.Table;
import dev.contrail.operations.replay.PlanSummary;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code contrail dlq plans ls}: all plans. */
@Command(
    name = "ls",
    header = "List replays, the newest first",
    customSynopsis = "@|bold contrail dlq plans ls|@ [OPTIONS]",
    description = "Lists all replays, the newest first, and how far each is.")
final class PlansLsCommand implements Callable<Integer> {
  private final Tools tools;

  /** A plan as scripts see it. */
  record Row(
      String plan,
      Instant at,
      String by,
      String chosen,
      int entries,
      int settled,
      String state,
      Instant stateAt,
      String stateBy,
      String why) {
    static Row of(PlanSummary plan) {
      return new Row(
          plan.head().plan(),
          plan.head().at(),
          plan.head().by(),
          plan.head().chosen(),
          plan.head().entries(),
          plan.settled(),
          plan.state().kind().text(),
          plan.state().at(),
          plan.state().by(),
          plan.state().why());
    }
  }

  PlansLsCommand(Tools tools) {
    this.tools = tools;
  }

  @Override
  public Integer call() {
    List<Row> rows;
    try (Session session = tools.sessions().get()) {
      rows = tools.plans(session).list().stream().map(Row::of).toList();
    }
    if (tools.wantsJson()) {
      tools.answerJson(rows);
    } else {
      print(rows);
    }
    return ExitCode.FINE;
  }

  private void print(List<Row> rows) {
    if (rows.isEmpty()) {
      tools.answer("No replays.");
      return;
    }
    Instant now = Clock.systemUTC().instant();
    Table table =
        new Table()
            .wholeColumn("PLAN")
            .wholeColumn("STATE")
            .numberColumn("DONE")
            .numberColumn("OF")
            .numberColumn("AGE")
            .column("BY")
            .column("WHICH");
    rows.forEach(
        row ->
            table.row(
                row.plan(),
                row.state(),
                row.settled(),
                row.entries(),
                Age.of(row.at(), now),
                row.by(),
                row.chosen()));
    tools.surroundings().out().print(table.render(tools.surroundings().terminal()));
    tools.surroundings().out().flush();
  }
}
