package dev.contrail.cli.dlq;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.NumberValue;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.StopRequest;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.DisplayWidth;
import dev.contrail.cli.output.Json;
import dev.contrail.event.EntryState;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.operations.index.DeathWatch;
import dev.contrail.operations.index.IndexEntry;
import dev.contrail.operations.view.EntryFields;
import dev.contrail.operations.view.PlainText;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code contrail dlq watch}: new deaths as they come. */
@Command(
    name = "watch",
    header = "Follow new deaths live",
    customSynopsis = "@|bold contrail dlq watch|@ [OPTIONS]",
    description = "Prints a line for each message that dies from now on, until Ctrl-C.",
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail dlq watch --stream ORDERS",
      "  contrail dlq watch --count 1 && ./page-somebody.sh"
    })
public final class DlqWatchCommand implements Callable<Integer> {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneOffset.UTC);

  private final Surroundings surroundings;
  private final Supplier<Session> sessions;
  private final BooleanSupplier json;

  @Mixin private final TriageOptions triage = new TriageOptions();

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "0",
      converter = Count.class,
      description = "end after so many, 0 for never (0)")
  private int count;

  public DlqWatchCommand(
      Surroundings surroundings, Supplier<Session> sessions, BooleanSupplier json) {
    this.surroundings = surroundings;
    this.sessions = sessions;
    this.json = json;
  }

  @Override
  public Integer call() throws InterruptedException {
    var wanted = triage.filter(Clock.systemUTC().instant()).build();
    StopRequest stop = StopRequest.onSignals(() -> {});
    Screen screen = new Screen(stop);
    try (Session session = sessions.get();
        DeathWatch watch =
            DeathWatch.open(
                session.connection(), session.jetStream(), session.names(), wanted, screen)) {
      if (surroundings.terminal().errIsTerminal()) {
        surroundings.err().println("Waiting for deaths; Ctrl-C ends.");
        surroundings.err().flush();
      }
      ScheduledExecutorService checks = Executors.newSingleThreadScheduledExecutor();
      try {
        var unused =
            checks.scheduleWithFixedDelay(() -> screen.check(watch), 1, 1, TimeUnit.SECONDS);
        return stop.await();
      } finally {
        checks.shutdownNow();
      }
    }
  }

  private final class Screen implements DeathWatch.Listener {
    private final StopRequest stop;
    private final AtomicInteger told = new AtomicInteger();
    private String problem = "";

    private Screen(StopRequest stop) {
      this.stop = stop;
    }

    @Override
    public void died(DeadLetterSummary summary) {
      int number = told.incrementAndGet();
      if (count > 0 && number > count) {
        return;
      }
      if (json.getAsBoolean()) {
        Json.writeLine(
            surroundings.out(), EntryFields.of(new IndexEntry(summary, EntryState.NEW, 0)));
      } else {
        print(summary);
      }
      if (number == count) {
        stop.stop(ExitCode.FINE);
      }
    }

    private void print(DeadLetterSummary summary) {
      String line =
          PlainText.of(
              TIME.format(summary.deadAt())
                  + "  "
                  + summary.id()
                  + "  "
                  + summary.reason().text()
                  + "  "
                  + EntryFields.whatHappened(summary));
      surroundings
          .out()
          .println(
              surroundings.terminal().outIsTerminal()
                  ? DisplayWidth.fit(line, surroundings.terminal().columns())
                  : line);
      surroundings.out().flush();
    }

    @Override
    public void unreadable(String why) {
      say(why);
    }

    // Said once: the watch goes on by itself when the server is back.
    private void check(DeathWatch watch) {
      try {
        watch.check();
        problem = "";
      } catch (ContrailException | IllegalStateException e) {
        String why = String.valueOf(e.getMessage());
        if (!why.equals(problem)) {
          say(why);
          problem = why;
        }
      }
    }

    private void say(String sentence) {
      surroundings.err().println("contrail: " + PlainText.of(sentence));
      surroundings.err().flush();
    }
  }

  static final class Count extends NumberValue {
    Count() {
      super(0, 1_000_000_000);
    }
  }
}
