package dev.contrail.cli.guard;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.StopRequest;
import dev.contrail.cli.replay.Tools;
import dev.contrail.operations.guard.Guard;
import dev.contrail.operations.guard.GuardOptions;
import dev.contrail.operations.guard.GuardStatus;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code contrail guard}: dead-letters what consumers of others gave up on. */
@Command(
    name = "guard",
    header = "Dead-letter what consumers in any language gave up on",
    customSynopsis = "@|bold contrail guard|@ [--release STREAM… | --release-all] [OPTIONS]",
    description = {
      "Follows what the server says of messages that used up their MaxDeliver or were terminated, and"
          + " keeps each as a dead letter. Sweeps find what the server did not say.",
      "It takes nothing from any stream unless told: --release lets it take away what it has copied."
          + " Several may run; one leads, the others wait."
    },
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail guard",
      "  contrail guard --release ORDERS PAYMENTS",
      "  contrail guard --release-all --exclude 'test-*'",
      "  contrail guard --release-all --dry-run",
      "  contrail guard --once --json"
    })
final class GuardCommand implements Callable<Integer> {
  private final Tools tools;

  @Mixin private final GuardChoice choice = new GuardChoice();

  @Option(
      names = "--once",
      fallbackValue = "true",
      description = "work off what is there, sweep once, and end")
  private boolean once;

  @Option(
      names = "--dry-run",
      fallbackValue = "true",
      description = "say what would be done, write nothing, and end")
  private boolean dryRun;

  GuardCommand(Tools tools) {
    this.tools = tools;
  }

  @Override
  public Integer call() throws InterruptedException {
    GuardOptions options = choice.options(tools.storage());
    StopRequest stop = StopRequest.onSignals(() -> {});
    AtomicBoolean stopped = new AtomicBoolean();
    stop.whenAsked(() -> stopped.set(true));
    try (Session session = tools.sessions().get()) {
      try (GuardVoice voice =
          tools.json().getAsBoolean()
              ? new GuardJson(tools.surroundings().out())
              : new GuardLog(tools.surroundings(), session.server(), options, mode())) {
        GuardStatus status = run(session, options, voice, stop, stopped);
        voice.ended(status);
        if (once || dryRun) {
          return status.failures() > 0 ? ExitCode.FAILED : ExitCode.FINE;
        }
        return ended(stop, session);
      }
    }
  }

  private static int ended(StopRequest stop, Session session) throws InterruptedException {
    int exitCode = stop.await();
    if (exitCode == ExitCode.NO_SERVER) {
      throw CommandFailure.noServer(
          "the connection to " + session.server() + " was closed for good");
    }
    return exitCode;
  }

  private GuardLog.Mode mode() {
    return dryRun ? GuardLog.Mode.DRY_RUN : once ? GuardLog.Mode.ONCE : GuardLog.Mode.UNTIL_STOPPED;
  }

  private GuardStatus run(
      Session session,
      GuardOptions options,
      GuardVoice voice,
      StopRequest stop,
      AtomicBoolean stopped)
      throws InterruptedException {
    if (dryRun) {
      return Guard.rehearse(
          session.connection(), session.jetStream(), session.names(), options, voice, stopped::get);
    }
    if (once) {
      return Guard.once(
          session.connection(), session.jetStream(), session.names(), options, voice, stopped::get);
    }
    Guard guard =
        Guard.start(session.connection(), session.jetStream(), session.names(), options, voice);
    stop.whenClosed(session.connection());
    try (guard) {
      stop.await();
    }
    return guard.status();
  }
}
