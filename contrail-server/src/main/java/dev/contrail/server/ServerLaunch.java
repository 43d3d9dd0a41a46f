package dev.contrail.server;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One start of a server, up to the moment at which it serves. */
final class ServerLaunch {
  private static final Duration END_LIMIT = Duration.ofSeconds(10);

  private final ServerSettings settings;
  private final ServerPorts ports;
  private final long logStart;

  private ServerLaunch(ServerSettings settings, ServerPorts ports) {
    this.settings = settings;
    this.ports = ports;
    this.logStart = Folders.sizeOf(settings.files().log());
  }

  /**
   * Starts the server and waits until it answers, with JetStream if that is on.
   *
   * @throws PortTakenException if another process has one of the ports
   * @throws NatsServerException if it does not start, with the end of its log
   */
  static WatchedProcess run(ServerSettings settings, ServerPorts ports) {
    return new ServerLaunch(settings, ports).run();
  }

  private WatchedProcess run() {
    ServerFiles files = settings.files();
    Folders.write(files.config(), settings.configText(ports));
    WatchedProcess process =
        WatchedProcess.start(
            List.of(settings.binary().path().toString(), "-c", files.config().toString()),
            files.pid(),
            files.log(),
            settings.temporaryFolder());
    try {
      awaitReady(process);
      return process;
    } catch (RuntimeException e) {
      process.kill();
      process.awaitEnd(END_LIMIT);
      throw e;
    }
  }

  private void awaitReady(WatchedProcess process) {
    Waiting.until(settings.startTimeout(), () -> !process.isAlive() || isReady());
    if (!process.isAlive()) {
      throw failure("ended at its start");
    }
    if (!isReady()) {
      throw failure("was not ready after " + settings.startTimeout().toSeconds() + " s");
    }
  }

  private boolean isReady() {
    Optional<Greeting> greeting = Greeting.from(ports.client(), settings.startTimeout());
    return greeting
        .filter(info -> info.serverName().equals(settings.name()))
        .filter(info -> info.jetStream() || !settings.jetStream())
        .isPresent();
  }

  private NatsServerException failure(String what) {
    String log = LogTail.since(settings.files().log(), logStart);
    String message =
        "nats-server %s %s; its log ends:%n%s"
            .formatted(settings.binary().version(), what, log.isEmpty() ? "(empty)" : log);
    return log.contains("address already in use")
        ? new PortTakenException(message)
        : new NatsServerException(message);
  }
}
