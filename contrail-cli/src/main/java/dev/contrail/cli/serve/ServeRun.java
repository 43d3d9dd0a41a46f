package dev.contrail.cli.serve;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.StopRequest;
import dev.contrail.console.Service;
import dev.contrail.console.ServiceOptions;
import dev.contrail.console.desk.Account;
import dev.contrail.console.http.CannotListenException;
import dev.contrail.console.http.HttpServer;
import dev.contrail.console.http.HttpServer.Listening;
import dev.contrail.console.web.DoorSettings;
import java.time.Duration;

/** Serves until Ctrl-C or SIGTERM, then ends everything in order. */
final class ServeRun {
  private static final Duration END_WITHIN = Duration.ofSeconds(10);

  private final Session session;
  private final ServiceOptions options;
  private final Listening listening;
  private final DoorSettings door;
  private final Banner banner;

  ServeRun(
      Session session,
      ServiceOptions options,
      Listening listening,
      DoorSettings door,
      Banner banner) {
    this.session = session;
    this.options = options;
    this.listening = listening;
    this.door = door;
    this.banner = banner;
  }

  int untilStopped() throws InterruptedException {
    StopRequest stop = StopRequest.onSignals(() -> {});
    Account account =
        new Account(session.connection(), session.jetStream(), session.names(), session.server());
    Service service = new Service(account, options, session.version());
    // The HTTP server is there before the guard, so that a port that is taken stops nothing
    // halfway, and ends after it, so that it can be asked for as long as anything goes on.
    try (HttpServer http = listen(service)) {
      stop.whenClosed(session.connection());
      try {
        banner.beginning(http.address(), session.server(), options);
        service.begin();
        return serve(http, stop);
      } finally {
        // Before the connection: the guard gives its lease back over it.
        service.end(END_WITHIN);
      }
    }
  }

  private int serve(HttpServer http, StopRequest stop) throws InterruptedException {
    banner.serving(http.address(), session.server(), options);
    if (!listening.address().isLoopbackAddress() && !door.tokensRequired()) {
      banner.open(http.address());
    }
    int exitCode = stop.await();
    banner.stopping(exitCode == ExitCode.FINE);
    return exitCode;
  }

  private HttpServer listen(Service service) {
    try {
      return HttpServer.start(listening, service, service.tokens(), door);
    } catch (CannotListenException e) {
      throw CommandFailure.failed(
          e.why() + "; choose another with --port, 0 for any that is free", e);
    }
  }
}
