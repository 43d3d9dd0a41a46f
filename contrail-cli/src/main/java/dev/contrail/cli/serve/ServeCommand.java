package dev.contrail.cli.serve;

import dev.contrail.cli.command.LogLine;
import dev.contrail.cli.command.Logs;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.StorageOptions;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.guard.GuardChoice;
import dev.contrail.console.ServiceOptions;
import dev.contrail.console.http.HttpServer.Listening;
import dev.contrail.redaction.Redaction;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code contrail serve}: guard, scans for orphans and doctor in one process. */
@Command(
    name = "serve",
    header = "Run guard, orphan scans and doctor, with a console in the browser",
    customSynopsis = "@|bold contrail serve|@ [OPTIONS]",
    description = {
      "Runs the guard, scans for orphans and has the doctor look every few minutes, until Ctrl-C or"
          + " SIGTERM. What it sees is shown by the console, logged as fields, and measured.",
      "It deletes nothing from any stream that is not named with --release."
    },
    footer = {
      "",
      "@|bold Answers over HTTP|@",
      "  /          the console; who may use it: contrail token",
      "  /api/v1    the same for programs; /api/v1/openapi.json tells what",
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
  private final Supplier<Redaction> redaction;

  @Mixin private final GuardChoice guard = new GuardChoice();
  @Mixin private final ServeOptions serve = new ServeOptions();
  @Mixin private final HttpOptions http = new HttpOptions();
  @Mixin private final NotifyOptions notify = new NotifyOptions();

  ServeCommand(
      Surroundings surroundings,
      Supplier<Session> sessions,
      StorageOptions storage,
      BooleanSupplier json,
      Supplier<Redaction> redaction) {
    this.surroundings = surroundings;
    this.sessions = sessions;
    this.storage = storage;
    this.json = json;
    this.redaction = redaction;
  }

  @Override
  public Integer call() throws InterruptedException {
    Listening listening = http.listening(surroundings.folder());
    ServiceOptions options =
        serve
            .options(guard.options(storage))
            .withConsole(http.console(redaction.get(), surroundings.folder()))
            .withNotices(notify.settings(surroundings.folder()));
    LogLine.Form form = form();
    try (Session session = sessions.get()) {
      Logs.showFields(form, surroundings.terminal().columns());
      return new ServeRun(
              session,
              options,
              listening,
              http.door(options.guard().by()),
              new Banner(surroundings, form))
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
