package dev.contrail.cli.replay;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.output.Table;
import dev.contrail.operations.view.Age;
import dev.contrail.operations.view.PlanRow;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
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

  PlansLsCommand(Tools tools) {
    this.tools = tools;
  }

  @Override
  public Integer call() {
    List<PlanRow> rows;
    List<String> unreadable = new ArrayList<>();
    try (Session session = tools.sessions().get()) {
      rows = tools.plans(session).list(unreadable::add).stream().map(PlanRow::of).toList();
    }
    unreadable.forEach(tools::say);
    if (tools.wantsJson()) {
      tools.answerJson(rows);
    } else {
      print(rows);
    }
    return unreadable.isEmpty() ? ExitCode.FINE : ExitCode.FAILED;
  }

  private void print(List<PlanRow> rows) {
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
