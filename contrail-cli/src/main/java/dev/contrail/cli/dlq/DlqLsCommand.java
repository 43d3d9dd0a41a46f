package dev.contrail.cli.dlq;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.NumberValue;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.output.Table;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.operations.index.DeadLetterIndex;
import dev.contrail.operations.index.EntryFilter;
import dev.contrail.operations.index.IndexEntry;
import dev.contrail.operations.index.NewestEntries;
import dev.contrail.operations.index.Page;
import dev.contrail.operations.index.PageRequest;
import dev.contrail.operations.index.SortOrder;
import dev.contrail.operations.view.Age;
import dev.contrail.operations.view.EntryCsv;
import dev.contrail.operations.view.EntryFields;
import dev.contrail.operations.view.PlainText;
import dev.contrail.redaction.Redaction;
import java.time.Clock;
import java.time.Instant;
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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code contrail dlq ls}: the newest dead letters. */
@Command(
    name = "ls",
    header = "List dead letters, the newest first",
    customSynopsis = "@|bold contrail dlq ls|@ [OPTIONS]",
    description = "Lists dead letters in whatever state, the newest first.",
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail dlq ls --stream ORDERS --consumer billing --state open",
      "  contrail dlq ls --since 2h --exception TimeoutException",
      "  contrail dlq ls --grep '\"customer\": *\"acme\"'",
      "  contrail dlq ls --reason undecodable --json"
    })
public final class DlqLsCommand implements Callable<Integer> {
  private static final int ALL = 0;
  private static final int MOST_IN_A_TABLE = 50;
  private static final int WIDE = 100;

  private final Surroundings surroundings;
  private final Supplier<Session> sessions;
  private final BooleanSupplier json;
  private final Supplier<Redaction> redaction;

  @Mixin private final TriageOptions triage = new TriageOptions();
  @Mixin private final StateOptions state = new StateOptions();

  @Option(
      names = "--grep",
      paramLabel = "REGEX",
      converter = PayloadGrep.Expression.class,
      description = "only those with this in the payload; reads payloads from the newest on")
  private PayloadGrep.@Nullable Wanted grep;

  @Option(
      names = "--sort",
      paramLabel = "ORDER",
      converter = Order.class,
      description = "newest, oldest, deliveries or size (newest)")
  private SortOrder order = SortOrder.NEWEST;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      converter = Limit.class,
      description = "at most so many, 0 for all (50; all with --json and --csv)")
  private @Nullable Integer limit;

  @Option(
      names = "--csv",
      fallbackValue = "true",
      description = "write a table for spreadsheets, with the fields of --json")
  private boolean csv;

  @Option(
      names = "--after",
      paramLabel = "PLACE",
      description = "go on where a list before this one ended, as it said")
  private @Nullable String after;

  public DlqLsCommand(
      Surroundings surroundings,
      Supplier<Session> sessions,
      BooleanSupplier json,
      Supplier<Redaction> redaction) {
    this.surroundings = surroundings;
    this.sessions = sessions;
    this.json = json;
    this.redaction = redaction;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (csv && json.getAsBoolean()) {
      throw CommandFailure.usage("--csv and --json are two forms of the same; take one");
    }
    EntryFilter.Builder wanted = triage.filter(Clock.systemUTC().instant());
    state.states().forEach(wanted::state);
    PageRequest request = request();
    if (grep != null && order != SortOrder.NEWEST) {
      throw CommandFailure.usage("--grep lists the newest first; leave --sort out");
    }
    Page page;
    try (Session session = sessions.get()) {
      page = page(session, wanted.build(), request);
    }
    if (json.getAsBoolean()) {
      Json.write(surroundings.out(), page.entries().stream().map(EntryFields::of).toList());
    } else if (csv) {
      EntryCsv.write(page.entries(), surroundings.out()::print);
      surroundings.out().flush();
    } else {
      print(page);
    }
    page.unreadable().forEach(why -> surroundings.err().println("contrail: " + PlainText.of(why)));
    return page.unreadable().isEmpty() ? ExitCode.FINE : ExitCode.FAILED;
  }

  private PageRequest request() {
    try {
      return new PageRequest(order, most(), Optional.ofNullable(after));
    } catch (IllegalArgumentException e) {
      String sentence = String.valueOf(e.getMessage());
      throw CommandFailure.usage("--after: " + sentence.substring(0, sentence.length() - 1));
    }
  }

  // A table is cut so that a person can see it; a script takes what it gets for the whole.
  private int most() {
    int most = limit != null ? limit : json.getAsBoolean() || csv ? ALL : MOST_IN_A_TABLE;
    return most == ALL ? Integer.MAX_VALUE : most;
  }

  private Page page(Session session, EntryFilter wanted, PageRequest request)
      throws InterruptedException {
    NewestEntries newest =
        new NewestEntries(session.connection(), session.jetStream(), session.names());
    if (grep != null) {
      try (PayloadGrep search = new PayloadGrep(grep, redaction.get(), surroundings)) {
        return newest.page(wanted, request, search);
      }
    }
    boolean few =
        order == SortOrder.NEWEST && request.limit() < Integer.MAX_VALUE && !wanted.isByState();
    if (few) {
      return newest.page(wanted, request);
    }
    try (DeadLetterIndex index = OpenIndex.of(session, surroundings)) {
      return index.page(wanted, request);
    }
  }

  private void print(Page page) {
    List<IndexEntry> shown = page.entries();
    if (shown.isEmpty()) {
      surroundings.out().println(PlainText.of("No dead letters" + inWords() + "."));
      return;
    }
    Instant now = Clock.systemUTC().instant();
    boolean wide =
        !surroundings.terminal().outIsTerminal() || surroundings.terminal().columns() >= WIDE;
    surroundings
        .out()
        .print(
            (wide ? wide(shown, now, surroundings.terminal().outIsTerminal()) : narrow(shown, now))
                .render(surroundings.terminal()));
    boolean fewer = page.next().isPresent();
    if (fewer) {
      String of = page.matching().isPresent() ? " of " + page.matching().getAsLong() : "";
      String which = order == SortOrder.NEWEST && after == null ? "The newest " : "";
      surroundings
          .out()
          .println(
              which
                  + shown.size()
                  + of
                  + "; --limit 0 shows all, --after "
                  + page.next().get()
                  + " the next.");
    }
    surroundings.out().flush();
  }

  private String inWords() {
    return triage.inWords() + state.inWords() + (grep == null ? "" : " that match");
  }

  private static Table wide(List<IndexEntry> shown, Instant now, boolean brief) {
    Table table =
        new Table()
            .wholeColumn("ID")
            .wholeColumn("STATE")
            .wholeColumn("REASON")
            .numberColumn("AGE")
            .numberColumn("TRIES")
            .subjectColumn("SUBJECT")
            .column("WHAT HAPPENED");
    for (IndexEntry entry : shown) {
      DeadLetterSummary summary = entry.summary();
      table.row(
          summary.id(),
          entry.state().status().text(),
          summary.reason().text(),
          Age.of(summary.deadAt(), now),
          summary.deliveries(),
          summary.subject(),
          brief ? EntryFields.inBrief(summary) : EntryFields.whatHappened(summary));
    }
    return table;
  }

  private static Table narrow(List<IndexEntry> shown, Instant now) {
    Table table =
        new Table()
            .wholeColumn("ID")
            .wholeColumn("STATE")
            .numberColumn("AGE")
            .column("WHAT HAPPENED");
    for (IndexEntry entry : shown) {
      table.row(
          entry.summary().id(),
          entry.state().status().text(),
          Age.of(entry.summary().deadAt(), now),
          EntryFields.inBrief(entry.summary()));
    }
    return table;
  }

  static final class Limit extends NumberValue {
    Limit() {
      super(ALL, 10_000_000);
    }
  }

  static final class Order implements ITypeConverter<SortOrder> {
    @Override
    public SortOrder convert(String text) {
      return SortOrder.parse(text)
          .orElseThrow(
              () ->
                  new BadValueException(
                      "'"
                          + text
                          + "' is no order; accepted are "
                          + Arrays.stream(SortOrder.values())
                              .map(SortOrder::text)
                              .collect(Collectors.joining(", "))));
    }
  }
}
