package dev.contrail.cli.ledger;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.Consent;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.LedgerSetting;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.ledger.LedgerScope;
import dev.contrail.operations.LedgerState;
import dev.contrail.operations.Ledgers;
import dev.contrail.redis.RedisCompletions;
import dev.contrail.redis.RedisLedger;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
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
      "  contrail ledger forget ORDERS billing --from 100 --to 120",
      "  contrail ledger forget ORDERS billing --from 100 --to 120 --ledger redis://127.0.0.1:6379"
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
    Optional<LedgerSetting.Redis> redis = ledgerOf.redis();
    try (Session session = sessions.get()) {
      if (redis.isEmpty()) {
        return inJetStream(session);
      }
      try (RedisLedger ledger = redis.get().ledger(session.names().prefix())) {
        return inRedis(ledger, ledgerOf.scope(session));
      }
    }
  }

  private int inJetStream(Session session) throws InterruptedException {
    Ledgers ledgers = new Ledgers(session.connection(), session.jetStream(), session.names());
    LedgerState ledger = ledgerOf.find(ledgers);
    return forget(
        ledger.scope(), ledger.view().completed(from, to), () -> ledgers.forget(ledger, from, to));
  }

  private int inRedis(RedisLedger ledger, LedgerScope scope) {
    RedisCompletions completions = ledger.completions(scope);
    return forget(scope, completions.count(from, to), () -> completions.forget(from, to));
  }

  private int forget(LedgerScope scope, long held, LongSupplier forgetting) {
    boolean wanted = held > 0 && consent.asked(surroundings, question(scope, held));
    if (held > 0 && !wanted) {
      surroundings.err().println("contrail: nothing was forgotten");
      return ExitCode.FAILED;
    }
    report(scope, wanted ? forgetting.getAsLong() : 0);
    return ExitCode.FINE;
  }

  private String question(LedgerScope scope, long held) {
    return "Forget "
        + held
        + " completions of consumer "
        + scope.consumer()
        + " of stream "
        + scope.stream()
        + ", so that these messages may be processed a second time?";
  }

  private void report(LedgerScope scope, long forgotten) {
    if (json.getAsBoolean()) {
      Json.write(
          surroundings.out(), new Forgotten(scope.stream(), scope.consumer(), from, to, forgotten));
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
