package dev.contrail.cli.ledger;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.LedgerSetting;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.output.Table;
import dev.contrail.ledger.log.LedgerView;
import dev.contrail.operations.ConsumerState;
import dev.contrail.operations.LedgerState;
import dev.contrail.operations.Ledgers;
import dev.contrail.operations.view.Age;
import dev.contrail.redis.RedisLedger;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code contrail ledger show}: one ledger in full. */
@Command(
    name = "show",
    header = "Show what is completed",
    customSynopsis = "@|bold contrail ledger show|@ STREAM CONSUMER [OPTIONS]",
    description = {
      "Shows which sequences are completed, and how they are kept.",
      "Of a ledger in Redis: how long completions will still be known, against how late their"
          + " messages may come again. For that Redis passes all its keys, a thousand at a time."
    },
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail ledger show ORDERS billing",
      "  contrail ledger show ORDERS billing --ledger redis://127.0.0.1:6379"
    })
public final class LedgerShowCommand implements Callable<Integer> {
  private static final int MOST_RANGES = 20;
  private static final int MOST_BLOCKS = 20;

  private final Surroundings surroundings;
  private final Supplier<Session> sessions;
  private final BooleanSupplier json;
  @Mixin private LedgerOf ledgerOf = new LedgerOf();

  public LedgerShowCommand(
      Surroundings surroundings, Supplier<Session> sessions, BooleanSupplier json) {
    this.surroundings = surroundings;
    this.sessions = sessions;
    this.json = json;
  }

  @Override
  public Integer call() throws InterruptedException {
    Optional<LedgerSetting.Redis> redis = ledgerOf.redis();
    return redis.isPresent() ? showRedis(redis.get()) : showJetStream();
  }

  private int showRedis(LedgerSetting.Redis redis) {
    RedisTtls ttls;
    try (Session session = sessions.get();
        RedisLedger ledger = redis.ledger(session.names().prefix())) {
      ConsumerState consumer = ledgerOf.consumerState(session);
      ttls =
          RedisTtls.read(
              consumer, ledger.place(), ledger.completions(consumer.scope()), surroundings);
    }
    if (json.getAsBoolean()) {
      Json.write(surroundings.out(), ttls);
    } else {
      new RedisTtlsText(surroundings, ttls).print();
    }
    return ExitCode.FINE;
  }

  private int showJetStream() throws InterruptedException {
    LedgerState ledger;
    try (Session session = sessions.get()) {
      ledger =
          ledgerOf.find(new Ledgers(session.connection(), session.jetStream(), session.names()));
    }
    if (json.getAsBoolean()) {
      Json.write(surroundings.out(), LedgerDetails.of(ledger));
    } else {
      print(ledger);
    }
    return ExitCode.FINE;
  }

  private void print(LedgerState ledger) {
    Instant now = Clock.systemUTC().instant();
    LedgerSummary summary = LedgerSummary.of(ledger);
    line("ledger", ledger.scope());
    line("completed", number(summary.completed()));
    line(
        "oldest open",
        summary.oldestOpen().isPresent()
            ? number(summary.oldestOpen().getAsLong())
            : summary.current() ? "none" : "not known, the stream is gone");
    line("records", number(summary.records()) + " in " + number(summary.bytes()) + " bytes");
    line("last record", summary.lastRecordAt().map(at -> Age.of(at, now) + " ago").orElse("-"));
    if (summary.epochs() > 1) {
      line("epochs", summary.epochs() + " (the stream handed out sequences again)");
    }
    ranges(ledger.view().ranges());
    blocks(ledger.view().blocks(), now);
    surroundings.out().flush();
  }

  private void ranges(List<LedgerView.Range> ranges) {
    PrintWriter out = surroundings.out();
    out.println();
    out.println("Completed");
    ranges.stream()
        .limit(MOST_RANGES)
        .forEach(
            range ->
                out.println(
                    "  "
                        + (range.epoch() > 1 ? "epoch " + range.epoch() + ": " : "")
                        + (range.from() == range.to()
                            ? number(range.from())
                            : number(range.from()) + " to " + number(range.to()))));
    if (ranges.size() > MOST_RANGES) {
      out.println("  … and " + number(ranges.size() - MOST_RANGES) + " ranges more (--json)");
    }
  }

  private void blocks(List<LedgerView.BlockSummary> blocks, Instant now) {
    surroundings.out().println();
    Table table =
        new Table()
            .wholeColumn("BLOCK")
            .numberColumn("FROM")
            .numberColumn("TO")
            .numberColumn("COMPLETED")
            .numberColumn("LOOSE RECORDS")
            .numberColumn("LAST");
    blocks.stream()
        .skip(Math.max(0, blocks.size() - MOST_BLOCKS))
        .forEach(
            block ->
                table.row(
                    block.key().token(),
                    block.key().first(),
                    block.key().last(),
                    block.completed(),
                    block.loose(),
                    Age.of(Instant.ofEpochMilli(block.lastMillis()), now)));
    surroundings.out().print(table.render(surroundings.terminal()));
    if (blocks.size() > MOST_BLOCKS) {
      surroundings
          .out()
          .println(
              "The last " + MOST_BLOCKS + " of " + blocks.size() + " blocks (--json for all).");
    }
  }

  private void line(String name, Object value) {
    surroundings.out().println(String.format("%-12s  %s", name, value));
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
