package dev.contrail.cli.bench;

import dev.contrail.bench.Bench;
import dev.contrail.bench.BenchException;
import dev.contrail.bench.BenchPlan;
import dev.contrail.bench.BenchServer;
import dev.contrail.bench.NoRedisException;
import dev.contrail.bench.RedisTarget;
import dev.contrail.bench.report.BenchReport;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.EndInOrder;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Logs;
import dev.contrail.cli.command.NumberValue;
import dev.contrail.cli.command.ServerInstall;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.jetstream.Contrail;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import dev.contrail.server.NatsServerException;
import dev.contrail.server.RedisServer;
import dev.contrail.server.RedisServerException;
import io.nats.client.JetStreamOptions;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code contrail bench}: what safety costs, on the user's own server if they like. */
@Command(
    name = "bench",
    header = "Measure what Contrail costs, beside bare clients",
    customSynopsis = "@|bold contrail bench|@ [--quick] [-s URL] [OPTIONS]",
    description =
        "Consumes the same messages with a bare client, with Contrail and with a Redis key per message, in turns, and"
            + " compares. Runs on a nats-server of its own unless a server or context is named; there it makes"
            + " streams named CONTRAIL_BENCH_… and deletes them at the end.",
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail bench --quick                     under 3 minutes",
      "  contrail bench --operations                orphan scans, audits, the guard",
      "  contrail bench --console                   pages, and a worker beside them",
      "  contrail bench --redis redis://127.0.0.1   with this Redis, not one of its own",
      "  contrail bench --quick -s nats://10.0.0.5 --replicas 3 --out results"
    })
public final class BenchCommand implements Callable<Integer> {
  private static final String NO_REDIS = "none";

  private final Surroundings surroundings;
  private final Supplier<Session> sessions;
  private final BooleanSupplier serverIsNamed;
  private final BooleanSupplier json;

  @Option(
      names = "--quick",
      fallbackValue = "true",
      description = "measure less of everything, in under 3 minutes")
  private boolean quick;

  @Option(
      names = "--dead-letters",
      fallbackValue = "true",
      description =
          "measure instead what it costs to find and replay dead letters, on a server of its own")
  private boolean deadLetters;

  @Option(
      names = "--operations",
      fallbackValue = "true",
      description =
          "measure instead what orphan scans, audits and the guard cost, on a server of its own")
  private boolean operations;

  @Option(
      names = "--console",
      fallbackValue = "true",
      description =
          "measure instead what the console costs, and what open pages cost a worker beside them,"
              + " on a server of its own")
  private boolean console;

  @Option(
      names = "--redis",
      paramLabel = "URL",
      description = "Redis to compare with, or none (one is started if redis-server is installed)")
  private @Nullable String redis;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "where to write bench-<time>.json and .svg (here)")
  private Path out = Path.of(".");

  @Option(
      names = "--rounds",
      paramLabel = "N",
      converter = Rounds.class,
      description = "rounds of each after warming up (7; 5 with --quick)")
  private @Nullable Integer rounds;

  @Option(
      names = "--messages",
      paramLabel = "N",
      converter = Messages.class,
      description = "never more messages than this in one measurement (as many as it takes)")
  private @Nullable Integer messages;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      defaultValue = "1",
      converter = Replicas.class,
      description = "how many servers keep the messages (1)")
  private int replicas = 1;

  @Option(
      names = "--nats-server",
      paramLabel = "PATH",
      description = "the program to run if no server is named (as in contrail demo)")
  private @Nullable Path program;

  /**
   * The command.
   *
   * @param serverIsNamed whether the user said which server to use
   */
  public BenchCommand(
      Surroundings surroundings,
      Supplier<Session> sessions,
      BooleanSupplier serverIsNamed,
      BooleanSupplier json) {
    this.surroundings = surroundings;
    this.sessions = sessions;
    this.serverIsNamed = serverIsNamed;
    this.json = json;
  }

  @Override
  public Integer call() {
    Logs.showNothing();
    if (Stream.of(deadLetters, operations, console).filter(it -> it).count() > 1) {
      throw CommandFailure.usage(
          "--dead-letters, --operations and --console: accepted is one of them");
    }
    OwnServerBench own = new OwnServerBench(surroundings, json, Optional.ofNullable(program));
    if (deadLetters) {
      return own.deadLetters(quick);
    }
    if (operations) {
      return own.operations(quick);
    }
    if (console) {
      return own.console(quick);
    }
    BenchFiles files = BenchFiles.in(surroundings.folder().resolve(out));
    BenchReport report;
    try (EndInOrder end = EndInOrder.onSignals()) {
      report = measured(end);
    }
    files.write(report);
    if (json.getAsBoolean()) {
      Json.write(surroundings.out(), report);
    } else {
      new BenchTables(surroundings).print(report);
    }
    say("written to " + files);
    return ExitCode.FINE;
  }

  private BenchReport measured(EndInOrder end) {
    try {
      return serverIsNamed.getAsBoolean() ? onNamedServer() : onOwnServer();
    } catch (NoRedisException e) {
      throw CommandFailure.noServer(String.valueOf(e.getMessage()), e);
    } catch (BenchException | NatsServerException | InterruptedException e) {
      throw CommandFailure.failed(
          end.isAsked() ? "ended before it was done" : String.valueOf(e.getMessage()), e);
    }
  }

  private BenchReport onNamedServer() throws InterruptedException {
    try (Session session = sessions.get()) {
      return run(
          new BenchServer(
              () -> sessions.get().connection(),
              session.jetStream(),
              session.server(),
              false,
              replicas));
    }
  }

  private BenchReport onOwnServer() throws InterruptedException {
    NatsServerBinary binary =
        NatsServerBinary.findOrInstall(
            Optional.ofNullable(program), new ServerInstall(surroundings));
    try (NatsServer server = NatsServer.builder().binary(binary).name("contrail-bench").start()) {
      return run(
          new BenchServer(
              () -> Contrail.connect(server.url()),
              JetStreamOptions.defaultOptions(),
              server.url(),
              true,
              replicas));
    }
  }

  private BenchReport run(BenchServer server) throws InterruptedException {
    say(
        "measuring on "
            + (server.embedded() ? "a nats-server of its own at " : "")
            + server.shown());
    if (redis != null) {
      return run(
          server,
          redis.equals(NO_REDIS) ? RedisTarget.none("--redis none") : RedisTarget.at(redis));
    }
    RedisServer own;
    try {
      own = RedisServer.start("appendfsync everysec");
    } catch (RedisServerException e) {
      return run(server, RedisTarget.none(String.valueOf(e.getMessage())));
    }
    try (own) {
      return run(server, RedisTarget.at(own.url()));
    }
  }

  private BenchReport run(BenchServer server, RedisTarget target) throws InterruptedException {
    BenchScreen screen = new BenchScreen(surroundings);
    try {
      return new Bench(server, target, plan(), screen).run();
    } finally {
      screen.end();
    }
  }

  private BenchPlan plan() {
    BenchPlan plan = quick ? BenchPlan.brief() : BenchPlan.complete();
    BenchPlan ofRounds = rounds == null ? plan : plan.withRounds(rounds);
    return messages == null ? ofRounds : ofRounds.withMostMessages(messages);
  }

  private void say(String line) {
    surroundings.err().println("contrail: " + line);
    surroundings.err().flush();
  }

  static final class Rounds extends NumberValue {
    Rounds() {
      super(1, 1_000);
    }
  }

  static final class Messages extends NumberValue {
    Messages() {
      super(100, 100_000_000);
    }
  }

  static final class Replicas extends NumberValue {
    Replicas() {
      super(1, 5);
    }
  }
}
