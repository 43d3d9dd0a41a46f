package dev.contrail.cli.serve;

import dev.contrail.cli.command.LogLine;
import dev.contrail.cli.command.Logs;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.StorageOptions;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.guard.GuardChoice;
import dev.contrail.console.ServiceOptions;
import java.net.InetAddress;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code contrail serve}: guard, scans for orphans and doctor in one process. */
@Command(
    name = "serve",
    header = "Run guard, orphan scans and doctor, with health and metrics",
    customSynopsis = "@|bold contrail serve|@ [OPTIONS]",
    description = {
      "Runs the guard, scans for orphans and has the doctor look every few minutes, until Ctrl-C or"
          + " SIGTERM. What it sees is logged as fields, a line each, and measured.",
      "It deletes nothing from any stream that is not named with --release."
    },
    footer = {
      "",
      "@|bold Answers over HTTP|@",
      "  /healthz   the process lives",
      "  /readyz    connected to NATS, dead letters read, guard leading or waiting;",
      "             503 with the reason if not",
      "  /metrics   for Prometheus",
      "",
      "@|bold Examples|@",
      "  contrail serve",
      "  contrail serve --release ORDERS,JOBS --doctor-every 10m",
      "  contrail serve --json --port 9000 >> contrail.log"
    })
final class ServeCommand implements Callable<Integer> {
  private final Surroundings surroundings;
  private final Supplier<Session> sessions;
  private final StorageOptions storage;
  private final BooleanSupplier json;

  @Mixin private final GuardChoice guard = new GuardChoice();
  @Mixin private final ServeOptions serve = new ServeOptions();
  @Mixin private final HttpOptions http = new HttpOptions();

  ServeCommand(
      Surroundings surroundings,
      Supplier<Session> sessions,
      StorageOptions storage,
      BooleanSupplier json) {
    this.surroundings = surroundings;
    this.sessions = sessions;
    this.storage = storage;
    this.json = json;
  }

  @Override
  public Integer call() throws InterruptedException {
    InetAddress address = http.address();
    ServiceOptions options = serve.options(guard.options(storage));
    LogLine.Form form = form();
    try (Session session = sessions.get()) {
      Logs.showFields(form, surroundings.terminal().columns());
      return new ServeRun(session, options, address, http.port(), new Banner(surroundings, form))
          .untilStopped();
    }
  }

  private LogLine.Form form() {
    if (json.getAsBoolean()) {
      return LogLine.Form.JSON;
    }
    return surroundings.terminal().errIsTerminal() ? LogLine.Form.TERMINAL : LogLine.Form.LOGFMT;
  }
}
