package dev.contrail.cli.dlq;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.NumberValue;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.output.Sparkline;
import dev.contrail.cli.output.Table;
import dev.contrail.operations.index.DeadLetterIndex;
import dev.contrail.operations.index.EntryFilter;
import dev.contrail.operations.index.Group;
import dev.contrail.operations.index.Groups;
import dev.contrail.operations.view.Age;
import dev.contrail.operations.view.EntryFields;
import dev.contrail.operations.view.GroupFields;
import dev.contrail.operations.view.PlainText;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code contrail dlq groups}: dead letters by what they died of. */
@Command(
    name = "groups",
    header = "Group dead letters by what they died of",
    customSynopsis = "@|bold contrail dlq groups|@ [OPTIONS]",
    description = "Groups dead letters that look like the same bug, the largest group first.",
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail dlq groups --state open",
      "  contrail dlq groups --since 2h --stream ORDERS --json"
    })
public final class DlqGroupsCommand implements Callable<Integer> {
  private static final int STRETCHES = 12;
  private static final int WIDE = 110;

  private final Surroundings surroundings;
  private final Supplier<Session> sessions;
  private final BooleanSupplier json;

  @Mixin private final TriageOptions triage = new TriageOptions();
  @Mixin private final StateOptions state = new StateOptions();

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "0",
      converter = Limit.class,
      description = "at most so many groups, 0 for all (all)")
  private int limit;

  public DlqGroupsCommand(
      Surroundings surroundings, Supplier<Session> sessions, BooleanSupplier json) {
    this.surroundings = surroundings;
    this.sessions = sessions;
    this.json = json;
  }

  @Override
  public Integer call() throws InterruptedException {
    Instant now = Clock.systemUTC().instant();
    EntryFilter.Builder wanted = triage.filter(now);
    state.states().forEach(wanted::state);
    Groups groups;
    try (Session session = sessions.get();
        DeadLetterIndex index = OpenIndex.of(session, surroundings)) {
      groups = index.groups(wanted.build(), now, STRETCHES);
    }
    List<Group> shown =
        groups
            .groups()
            .subList(
                0, limit == 0 ? groups.groups().size() : Math.min(limit, groups.groups().size()));
    if (json.getAsBoolean()) {
      Json.write(
          surroundings.out(), shown.stream().map(group -> GroupFields.of(group, groups)).toList());
    } else {
      print(shown, groups, now);
    }
    return ExitCode.FINE;
  }

  private void print(List<Group> shown, Groups groups, Instant now) {
    if (shown.isEmpty()) {
      surroundings
          .out()
          .println(PlainText.of("No dead letters" + triage.inWords() + state.inWords() + "."));
      return;
    }
    boolean terminal = surroundings.terminal().outIsTerminal();
    boolean wide = !terminal || surroundings.terminal().columns() >= WIDE;
    Table table = new Table().wholeColumn("GROUP").numberColumn("COUNT").numberColumn("OPEN");
    if (wide) {
      table.numberColumn("FIRST");
    }
    table.numberColumn("LAST");
    if (terminal) {
      table.wholeColumn("TREND");
    }
    if (wide) {
      table.column("STREAMS").column("VERSIONS");
    }
    table.column("WHAT HAPPENED");
    shown.forEach(group -> table.row(row(group, now, terminal, wide)));
    surroundings.out().print(table.render(surroundings.terminal()));
    if (terminal) {
      surroundings
          .out()
          .println(
              "Trend since "
                  + Age.of(groups.from(), now)
                  + " ago. contrail dlq ls --group GROUP lists one.");
    }
    surroundings.out().flush();
  }

  private static Object[] row(Group group, Instant now, boolean terminal, boolean wide) {
    List<Object> row = new ArrayList<>();
    row.add(group.fingerprint());
    row.add(group.count());
    row.add(group.open());
    if (wide) {
      row.add(Age.of(group.firstSeen(), now));
    }
    row.add(Age.of(group.lastSeen(), now));
    if (terminal) {
      row.add(Sparkline.of(group.trend()));
    }
    if (wide) {
      row.add(String.join(", ", group.streams()));
      row.add(String.join(", ", group.appVersions()));
    }
    row.add(
        terminal
            ? EntryFields.inBrief(group.example().summary())
            : EntryFields.whatHappened(group.example().summary()));
    return row.toArray();
  }

  static final class Limit extends NumberValue {
    Limit() {
      super(0, 10_000_000);
    }
  }
}
