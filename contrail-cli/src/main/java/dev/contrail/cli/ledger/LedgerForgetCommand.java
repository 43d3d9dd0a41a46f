package dev.contrail.cli.ledger;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.Consent;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.operations.LedgerState;
import dev.contrail.operations.Ledgers;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code contrail ledger forget}: has messages processed again, on purpose. */
@Command(
    name = "forget",
    header = "Have messages processed again",
    customSynopsis =
        "@|bold contrail ledger forget|@ STREAM CONSUMER --from N --to M [--yes] [OPTIONS]",
    description = {
      "Has the ledger forget that messages were completed: when the server delivers them again they"
          + " are processed again, and not acked unrun.",
      "The server delivers again what is not acked; for what is, delete the consumer or make a new"
          + " one that begins earlier."
    },
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail ledger forget ORDERS billing --from 100 --to 120"
    })
public final class LedgerForgetCommand implements Callable<Integer> {
  private final Surroundings surroundings;
  private final Supplier<Session> sessions;
  private final BooleanSupplier json;
  @Mixin private LedgerOf ledgerOf = new LedgerOf();
  @Mixin private Consent consent = new Consent();

  @Option(names = "--from", paramLabel = "N", required = true, description = "first sequence")
  private long from;

  @Option(names = "--to", paramLabel = "M", required = true, description = "last sequence")
  private long to;

  record Forgotten(String stream, String consumer, long from, long to, long forgotten) {}

  public LedgerForgetCommand(
      Surroundings surroundings, Supplier<Session> sessions, BooleanSupplier json) {
    this.surroundings = surroundings;
    this.sessions = sessions;
    this.json = json;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (from < 1 || to < from) {
      throw CommandFailure.usage(
          "--from " + from + " --to " + to + " is no range; accepted is 1 ≤ N ≤ M");
    }
    try (Session session = sessions.get()) {
      Ledgers ledgers = new Ledgers(session.connection(), session.jetStream(), session.names());
      LedgerState ledger = ledgerOf.find(ledgers);
      long held = ledger.view().completed(from, to);
      boolean wanted = held > 0 && consent.asked(surroundings, question(ledger, held));
      if (held > 0 && !wanted) {
        surroundings.err().println("contrail: nothing was forgotten");
        return ExitCode.FAILED;
      }
      report(ledger, wanted ? ledgers.forget(ledger, from, to) : 0);
      return ExitCode.FINE;
    }
  }

  private String question(LedgerState ledger, long held) {
    return "Forget "
        + held
        + " completions of consumer "
        + ledger.scope().consumer()
        + " of stream "
        + ledger.scope().stream()
        + ", so that these messages may be processed a second time?";
  }

  private void report(LedgerState ledger, long forgotten) {
    if (json.getAsBoolean()) {
      Json.write(
          surroundings.out(),
          new Forgotten(ledger.scope().stream(), ledger.scope().consumer(), from, to, forgotten));
    } else {
      surroundings
          .out()
          .println(
              forgotten == 0
                  ? "None of them is recorded as completed."
                  : "Forgot " + forgotten + " completions.");
      surroundings.out().flush();
    }
  }
}
