package dev.contrail.cli.dlq;

import dev.contrail.Durations;
import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.NumberValue;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.output.PlainText;
import dev.contrail.cli.output.Table;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.evidence.Reason;
import dev.contrail.operations.DeadLetterFilter;
import dev.contrail.operations.DeadLetterListing;
import dev.contrail.operations.DeadLetters;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
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
      "  contrail dlq ls --reason undecodable --limit 0 --json"
    })
public final class DlqLsCommand implements Callable<Integer> {
  private final Surroundings surroundings;
  private final Supplier<Session> sessions;
  private final BooleanSupplier json;

  @Option(names = "--stream", paramLabel = "STREAM", description = "only of this stream")
  private @Nullable String stream;

  @Option(names = "--consumer", paramLabel = "CONSUMER", description = "only of this consumer")
  private @Nullable String consumer;

  @Option(
      names = "--reason",
      paramLabel = "REASON",
      converter = ReasonValue.class,
      description = "only those that died for this reason, such as rejected or delivery-limit")
  private @Nullable Reason reason;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "50",
      converter = Limit.class,
      description = "at most so many, 0 for all (50)")
  private int limit = 50;

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
              .list(
                  new DeadLetterFilter(
                      Optional.ofNullable(stream),
                      Optional.ofNullable(consumer),
                      Optional.ofNullable(reason)));
    }
    List<DeadLetterSummary> shown =
        limit == 0
            ? listing.entries()
            : listing.entries().subList(0, Math.min(limit, listing.entries().size()));
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

  private void print(List<DeadLetterSummary> shown, int all) {
    if (shown.isEmpty()) {
      surroundings.out().println("No dead letters.");
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
          age(entry.deadAt(), now),
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

  /** In its largest unit, which is all that one looks for in a list. */
  static String age(Instant then, Instant now) {
    Duration age = Duration.between(then, now);
    if (age.isNegative()) {
      return "0s";
    }
    ChronoUnit unit =
        age.toDays() > 0
            ? ChronoUnit.DAYS
            : age.toHours() > 0
                ? ChronoUnit.HOURS
                : age.toMinutes() > 0 ? ChronoUnit.MINUTES : ChronoUnit.SECONDS;
    return Durations.format(age.truncatedTo(unit));
  }

  private static String simpleName(String exceptionClass) {
    return exceptionClass.substring(exceptionClass.lastIndexOf('.') + 1);
  }

  static final class Limit extends NumberValue {
    Limit() {
      super(0, 10_000_000);
    }
  }

  static final class ReasonValue implements ITypeConverter<Reason> {
    @Override
    public Reason convert(String text) {
      return Reason.parse(text)
          .orElseThrow(
              () ->
                  new BadValueException(
                      "'"
                          + text
                          + "' is no reason; accepted are "
                          + Arrays.stream(Reason.values())
                              .map(Reason::text)
                              .collect(Collectors.joining(", "))));
    }
  }
}
