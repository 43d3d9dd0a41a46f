package dev.contrail.cli.bench;

import dev.contrail.bench.BenchException;
import dev.contrail.bench.BenchServer;
import dev.contrail.bench.ConsoleBench;
import dev.contrail.bench.DeadLetterBench;
import dev.contrail.bench.OperationsBench;
import dev.contrail.bench.report.ConsoleReport;
import dev.contrail.bench.report.DeadLetterReport;
import dev.contrail.bench.report.OperationsReport;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.ServerInstall;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.output.Table;
import dev.contrail.jetstream.Contrail;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import dev.contrail.server.NatsServerException;
import io.nats.client.JetStreamOptions;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** What is measured on a nats-server of its own alone. */
record OwnServerBench(Surroundings surroundings, BooleanSupplier json, Optional<Path> program) {
  private static final int TIMES_LESS = 10;
  private static final int PAGES = 50;

  private interface Measurement<T> {
    T on(BenchServer server) throws InterruptedException;
  }

  int deadLetters(boolean quick) {
    DeadLetterReport report =
        measured(
            server ->
                new DeadLetterBench(server, quick ? 10_000 : 100_000, quick ? 5_000 : 50_000)
                    .run());
    return show(report, DeadLetterTable::of);
  }

  int operations(boolean quick) {
    OperationsReport report =
        measured(server -> new OperationsBench(server, quick ? TIMES_LESS : 1, this::say).run());
    return show(report, it -> AimTable.of(it.aims()));
  }

  int console(boolean quick) {
    ConsoleReport report =
        measured(
            server ->
                new ConsoleBench(
                        server,
                        quick ? 10_000 : 100_000,
                        PAGES,
                        quick ? 50_000 : 300_000,
                        this::say)
                    .run());
    return show(report, it -> AimTable.of(it.aims()));
  }

  private <T> T measured(Measurement<T> measurement) {
    NatsServerBinary binary =
        NatsServerBinary.findOrInstall(program, new ServerInstall(surroundings));
    try (NatsServer server = NatsServer.builder().binary(binary).name("contrail-bench").start()) {
      say("measuring on a nats-server of its own at " + server.url());
      return measurement.on(
          new BenchServer(
              () -> Contrail.connect(server.url()),
              JetStreamOptions.defaultOptions(),
              server.url(),
              true,
              1));
    } catch (BenchException | NatsServerException | InterruptedException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()), e);
    }
  }

  private <T> int show(T report, Function<T, Table> table) {
    if (json.getAsBoolean()) {
      Json.write(surroundings.out(), report);
    } else {
      surroundings.out().print(table.apply(report).render(surroundings.terminal()));
      surroundings.out().flush();
    }
    return ExitCode.FINE;
  }

  private void say(String line) {
    surroundings.err().println("contrail: " + line);
    surroundings.err().flush();
  }
}
