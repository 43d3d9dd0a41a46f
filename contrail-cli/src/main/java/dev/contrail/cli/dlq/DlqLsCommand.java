package dev.contrail.cli.dlq;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.NumberValue;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Age;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.output.PlainText;
import dev.contrail.cli.output.Table;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.operations.DeadLetterListing;
import dev.contrail.operations.DeadLetters;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code contrail dlq ls}: the newest dead letters. */
@Command(
    name = "ls",
    header = "List dead letters, the newest first",
    customSynopsis = "@|bold contrail dlq ls|@ [OPTIONS]",
    description = "Lists dead letters, the newest first.",
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail dlq ls --stream ORDERS --consumer billing",
      "  contrail dlq ls --reason undecodable --json"
    })
public final class DlqLsCommand implements Callable<Integer> {
  private static final int ALL = 0;
  private static final int MOST_IN_A_TABLE = 50;

  private final Surroundings surroundings;
  private final Supplier<Session> sessions;
  private final BooleanSupplier json;

  @Mixin private final FilterOptions filter = new FilterOptions();

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      converter = Limit.class,
      description = "at most so many, 0 for all (50; all with --json)")
  private @Nullable Integer limit;

  public DlqLsCommand(Surroundings surroundings, Supplier<Session> sessions, BooleanSupplier json) {
    this.surroundings = surroundings;
    this.sessions = sessions;
    this.json = json;
  }

  @Override
  public Integer call() throws InterruptedException {
    DeadLetterListing listing;
    try (Session session = sessions.get()) {
      listing =
          new DeadLetters(session.connection(), session.jetStream(), session.names())
              .list(filter.filter());
    }
    List<DeadLetterSummary> shown =
        listing.entries().subList(0, Math.min(most(), listing.entries().size()));
    if (json.getAsBoolean()) {
      Json.write(surroundings.out(), shown.stream().map(Entry::of).toList());
    } else {
      print(shown, listing.entries().size());
    }
    listing
        .unreadable()
        .forEach(why -> surroundings.err().println("contrail: " + PlainText.of(why)));
    return listing.unreadable().isEmpty() ? ExitCode.FINE : ExitCode.FAILED;
  }

  // A table is cut so that a person can see it; a script takes what it gets for the whole.
  private int most() {
    int most = limit != null ? limit : json.getAsBoolean() ? ALL : MOST_IN_A_TABLE;
    return most == ALL ? Integer.MAX_VALUE : most;
  }

  private void print(List<DeadLetterSummary> shown, int all) {
    if (shown.isEmpty()) {
      surroundings.out().println(PlainText.of("No dead letters" + filter.inWords() + "."));
      return;
    }
    Instant now = Clock.systemUTC().instant();
    Table table =
        new Table()
            .wholeColumn("ID")
            .wholeColumn("REASON")
            .numberColumn("AGE")
            .numberColumn("TRIES")
            .column("SUBJECT")
            .column("WHAT HAPPENED");
    for (DeadLetterSummary entry : shown) {
      table.row(
          entry.id(),
          entry.reason().text(),
          Age.of(entry.deadAt(), now),
          entry.deliveries(),
          entry.subject(),
          simpleName(entry.exceptionClass()) + ": " + entry.exceptionMessage());
    }
    surroundings.out().print(table.render(surroundings.terminal()));
    if (shown.size() < all) {
      surroundings
          .out()
          .println("The newest " + shown.size() + " of " + all + "; --limit 0 shows all.");
    }
    surroundings.out().flush();
  }

  private static String simpleName(String exceptionClass) {
    return exceptionClass.substring(exceptionClass.lastIndexOf('.') + 1);
  }

  static final class Limit extends NumberValue {
    Limit() {
      super(ALL, 10_000_000);
    }
  }
}
