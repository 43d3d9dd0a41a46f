package dev.contrail.cli.orphans;

import dev.contrail.cli.command.DurationValue;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.NatsNames;
import dev.contrail.cli.command.NumberValue;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.output.Table;
import dev.contrail.cli.output.WrappedText;
import dev.contrail.cli.replay.Tools;
import dev.contrail.operations.orphans.OrphanScan;
import dev.contrail.operations.orphans.Orphans;
import dev.contrail.operations.view.Age;
import dev.contrail.operations.view.ByteCount;
import dev.contrail.operations.view.OrphanFields;
import dev.contrail.operations.view.PlainText;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code contrail orphans scan}: lists messages that nobody takes. */
@Command(
    name = "scan",
    header = "List messages that nobody takes",
    customSynopsis = "@|bold contrail orphans scan|@ [STREAM…] [OPTIONS]",
    description = {
      "Lists by stream and subject what waits where nobody takes it, why, and what to do:",
      "  unclaimed   no consumer's filter takes the subject",
      "  exhausted   its consumers will not be given it again",
      "  suspected   more is stored than the consumers account for; not acted on",
      "  forgotten   it waits for a durable that nobody has read from for long",
      "Exit code 1 when there is any, or a stream could not be looked at. Bytes with a ~ are"
          + " estimated by the average of the stream."
    },
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail orphans scan",
      "  contrail orphans scan ORDERS --idle 7d --json"
    })
final class OrphansScanCommand implements Callable<Integer> {
  private static final int MOST_REASONS = 20;

  private final Tools tools;
  private final Clock clock = Clock.systemUTC();

  @Parameters(
      paramLabel = "STREAM",
      arity = "0..*",
      converter = NatsNames.Name.class,
      description = "only these streams (all)")
  private List<String> streams = new ArrayList<>();

  @Option(
      names = "--idle",
      paramLabel = "DURATION",
      defaultValue = "24h",
      converter = IdleValue.class,
      description = "a durable is forgotten when nobody read from it for so long (24h)")
  private Duration idle = Duration.ofHours(24);

  @Option(
      names = "--limits",
      fallbackValue = "true",
      description =
          "list also subjects without a consumer in streams that are kept by limits, where durable"
              + " consumers work on other subjects")
  private boolean limits;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      defaultValue = "50",
      converter = LimitValue.class,
      description = "show at most so many lines, 0 for all; --json has all (50)")
  private int limit = 50;

  OrphansScanCommand(Tools tools) {
    this.tools = tools;
  }

  @Override
  public Integer call() throws InterruptedException {
    Instant now = clock.instant();
    OrphanScan.Result result;
    try (Session session = tools.sessions().get()) {
      result =
          new OrphanScan(session.connection(), session.jetStream(), session.names())
              .scan(new OrphanScan.Wanted(streams, idle, limits), now);
    }
    if (tools.json().getAsBoolean()) {
      Json.write(tools.surroundings().out(), OrphanFields.of(result));
    } else {
      print(result, now);
    }
    return result.orphans().isEmpty() && result.notJudged().isEmpty()
        ? ExitCode.FINE
        : ExitCode.FAILED;
  }

  private void print(OrphanScan.Result result, Instant now) {
    PrintWriter out = tools.surroundings().out();
    if (result.orphans().isEmpty()) {
      out.println(
          "No orphans in "
              + counted(result.streams(), "stream")
              + " with "
              + counted(result.messages(), "message")
              + ".");
      printAdvisories(result.advisories(), out);
      printNotJudged(result.notJudged(), tools);
      out.flush();
      return;
    }
    List<Orphans> sorted =
        result.orphans().stream()
            .sorted(
                Comparator.comparing(Orphans::stream)
                    .thenComparing(Orphans::kind)
                    .thenComparing(Comparator.comparingLong(Orphans::count).reversed()))
            .toList();
    List<Orphans> shown = limit == 0 || sorted.size() <= limit ? sorted : sorted.subList(0, limit);
    Table table =
        new Table()
            .column("STREAM")
            .subjectColumn("SUBJECT")
            .wholeColumn("CLASS")
            .numberColumn("COUNT")
            .numberColumn("BYTES")
            .numberColumn("OLDEST");
    shown.forEach(it -> table.row(row(it, now)));
    out.print(table.render(tools.surroundings().terminal()));
    List<Orphans> rest = sorted.subList(shown.size(), sorted.size());
    if (!rest.isEmpty()) {
      out.println(
          "… and "
              + counted(rest.stream().mapToLong(Orphans::count).sum(), "message")
              + " in "
              + counted(rest.size(), "more line")
              + "; -n 0 shows all.");
    }
    printAdvice(sorted);
    printAdvisories(result.advisories(), out);
    printNotJudged(result.notJudged(), tools);
    out.flush();
  }

  static void printNotJudged(List<OrphanScan.NotJudged> streams, Tools tools) {
    streams.forEach(
        it -> print(tools, "", "Stream " + it.stream() + " was not judged: " + it.why()));
  }

  /** A sentence of an answer, in lines that fit. */
  static void print(Tools tools, String indent, String sentence) {
    Surroundings to = tools.surroundings();
    WrappedText.print(to.out(), to.terminal(), indent, indent, PlainText.of(sentence));
  }

  private static void printAdvisories(OrphanScan.Advisories advisories, PrintWriter out) {
    if (advisories.leftOut() > 0) {
      out.println(
          counted(advisories.read(), "advisory", "advisories")
              + " of the server read; "
              + advisories.leftOut()
              + " more were too many to look at.");
    } else if (advisories.read() > 0) {
      out.println(counted(advisories.read(), "advisory", "advisories") + " of the server read.");
    }
    if (advisories.otherDomain() > 0) {
      out.println(
          advisories.otherDomain()
              + " of them name another JetStream domain, and do not count here.");
    }
  }

  private static Object[] row(Orphans one, Instant now) {
    String more =
        switch (one.countIs()) {
          case EXACT -> "";
          case AT_LEAST -> "≥ ";
        };
    return new Object[] {
      one.stream(),
      String.join(", ", one.subjects()),
      one.kind().text(),
      more + one.count(),
      (one.bytesEstimated() ? "~" : "") + ByteCount.of(one.bytes()),
      one.oldest().map(it -> Age.of(it, now)).orElse("?")
    };
  }

  private void printAdvice(List<Orphans> orphans) {
    PrintWriter out = tools.surroundings().out();
    Set<List<String>> reasons = new LinkedHashSet<>();
    orphans.forEach(
        it -> reasons.add(List.of(it.stream() + ", " + it.kind().text(), it.why(), it.advice())));
    out.println("Why, and what to do:");
    reasons.stream()
        .limit(MOST_REASONS)
        .forEach(
            it -> {
              print(tools, "  ", it.get(0) + ": " + it.get(1));
              // Whole, to be pasted.
              out.println(PlainText.of("    " + it.get(2)));
            });
    if (reasons.size() > MOST_REASONS) {
      out.println("  … and " + (reasons.size() - MOST_REASONS) + " more; --json has all");
    }
  }

  static String counted(long number, String what) {
    return counted(number, what, what + "s");
  }

  private static String counted(long number, String one, String several) {
    return number + " " + (number == 1 ? one : several);
  }

  static final class IdleValue extends DurationValue {
    IdleValue() {
      super(Duration.ZERO, Duration.ofDays(36_500));
    }
  }

  static final class LimitValue extends NumberValue {
    LimitValue() {
      super(0, 10_000_000);
    }
  }
}
