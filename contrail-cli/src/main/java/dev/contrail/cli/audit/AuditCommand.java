package dev.contrail.cli.audit;

import dev.contrail.cli.command.DurationValue;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.NatsNames;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.output.Progress;
import dev.contrail.operations.audit.AuditReport;
import dev.contrail.operations.audit.AuditRequest;
import dev.contrail.operations.audit.Audits;
import dev.contrail.operations.audit.Fate;
import dev.contrail.operations.audit.Horizon;
import dev.contrail.operations.view.AuditFields;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code contrail audit}: what became of every message. */
@Command(
    name = "audit",
    header = "Account for every message of a stream",
    customSynopsis = "@|bold contrail audit|@ STREAM [OPTIONS]",
    description = {
      "Tells for each consumer what became of every message of the stream, up to 30 days back:"
          + " processed, dead, replayed, waiting, …, and what nothing accounts for, with what most"
          + " likely became of it.",
      "Reads alone. Exits with 1 when something is unaccounted for."
    },
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail audit ORDERS",
      "  contrail audit ORDERS --consumer billing --since 24h",
      "  contrail audit ORDERS --json"
    })
final class AuditCommand implements Callable<Integer> {
  private static final long WORTH_SHOWING = 5_000;

  private final Surroundings surroundings;
  private final Supplier<Session> sessions;
  private final BooleanSupplier json;

  @Parameters(
      index = "0",
      paramLabel = "STREAM",
      converter = NatsNames.Name.class,
      description = "the stream")
  @SuppressWarnings("NullAway.Init")
  private String stream;

  @Option(
      names = "--consumer",
      paramLabel = "NAME",
      converter = NatsNames.Name.class,
      description = "only this consumer, also one that was deleted; may be given several times")
  private List<String> consumers = List.of();

  @Option(
      names = "--since",
      paramLabel = "DURATION",
      converter = Since.class,
      description = "only messages that were published at most so long ago, such as 24h")
  private @Nullable Duration since;

  AuditCommand(Surroundings surroundings, Supplier<Session> sessions, BooleanSupplier json) {
    this.surroundings = surroundings;
    this.sessions = sessions;
    this.json = json;
  }

  @Override
  public Integer call() throws InterruptedException {
    Instant now = Clock.systemUTC().instant();
    AuditReport report;
    try (Session session = sessions.get();
        Reading reading = new Reading()) {
      report =
          new Audits(session.connection(), session.jetStream(), session.names())
              .audit(
                  new AuditRequest(stream, consumers, Optional.ofNullable(since).map(now::minus)),
                  now,
                  reading);
    }
    if (json.getAsBoolean()) {
      Json.write(surroundings.out(), AuditFields.of(report));
    } else {
      new AuditText(surroundings).print(report);
    }
    boolean fine = report.complete() && report.count(Fate.UNACCOUNTED) == 0;
    return fine ? ExitCode.FINE : ExitCode.FAILED;
  }

  /** Shows how far it is, where that takes a while. */
  private final class Reading implements Audits.Listener, AutoCloseable {
    private @Nullable Progress shown;
    private long total;

    @Override
    public void read(long done, long of) {
      if (of < WORTH_SHOWING) {
        return;
      }
      if (shown == null || total != of) {
        close();
        total = of;
        shown =
            new Progress(
                surroundings.err(),
                surroundings.terminal(),
                "Reading messages",
                of,
                System::nanoTime);
      }
      shown.done(done);
    }

    @Override
    public void close() {
      if (shown != null) {
        shown.close();
        shown = null;
      }
    }
  }

  static final class Since extends DurationValue {
    Since() {
      super(Duration.ofSeconds(1), Horizon.LENGTH);
    }
  }
}
