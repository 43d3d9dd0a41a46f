package dev.contrail.cli.ledger;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.output.Table;
import dev.contrail.operations.LedgerState;
import dev.contrail.operations.Ledgers;
import dev.contrail.operations.view.Age;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine.Command;

/** {@code contrail ledger ls}: the ledgers there are. */
@Command(
    name = "ls",
    header = "List the ledgers",
    customSynopsis = "@|bold contrail ledger ls|@ [OPTIONS]",
    description = "Lists the ledgers kept in JetStream, one for each consumer of a stream.",
    footer = {"", "@|bold Examples|@", "  contrail ledger ls --json"})
public final class LedgerLsCommand implements Callable<Integer> {
  private final Surroundings surroundings;
  private final Supplier<Session> sessions;
  private final BooleanSupplier json;

  public LedgerLsCommand(
      Surroundings surroundings, Supplier<Session> sessions, BooleanSupplier json) {
    this.surroundings = surroundings;
    this.sessions = sessions;
    this.json = json;
  }

  @Override
  public Integer call() throws InterruptedException {
    List<LedgerState> ledgers;
    try (Session session = sessions.get()) {
      ledgers = new Ledgers(session.connection(), session.jetStream(), session.names()).list();
    }
    if (json.getAsBoolean()) {
      Json.write(surroundings.out(), ledgers.stream().map(LedgerSummary::of).toList());
    } else {
      print(ledgers);
    }
    return ExitCode.FINE;
  }

  private void print(List<LedgerState> ledgers) {
    if (ledgers.isEmpty()) {
      surroundings.out().println("No ledgers: no worker has completed a message yet.");
      surroundings.out().flush();
      return;
    }
    Instant now = Clock.systemUTC().instant();
    Table table =
        new Table()
            .wholeColumn("STREAM")
            .wholeColumn("CONSUMER")
            .numberColumn("COMPLETED")
            .numberColumn("OLDEST OPEN")
            .numberColumn("BLOCKS")
            .numberColumn("RECORDS")
            .numberColumn("BYTES")
            .numberColumn("LAST")
            .column("INCARNATION");
    for (LedgerState ledger : ledgers) {
      LedgerSummary summary = LedgerSummary.of(ledger);
      table.row(
          summary.stream(),
          summary.consumer(),
          summary.completed(),
          summary.oldestOpen().isPresent() ? summary.oldestOpen().getAsLong() : "-",
          summary.blocks(),
          summary.records(),
          summary.bytes(),
          summary.lastRecordAt().map(then -> Age.of(then, now)).orElse("-"),
          summary.incarnation() + (summary.current() ? "" : " (stream is gone)"));
    }
    surroundings.out().print(table.render(surroundings.terminal()));
    surroundings.out().flush();
  }
}
