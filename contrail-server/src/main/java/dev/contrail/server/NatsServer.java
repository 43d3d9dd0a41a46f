package dev.contrail.server;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * A nats-server process on 127.0.0.1 that this JVM started. It ends with the JVM, also when that is
 * killed. All methods may be called from any thread.
 */
public final class NatsServer implements AutoCloseable {
  private static final Duration END_LIMIT = Duration.ofSeconds(20);
  private static final int PORT_TRIES = 5;

  private final ServerSettings settings;
  private final ServerPorts ports;
  private final FolderLock lock;
  private WatchedProcess process;
  private boolean frozen;
  private boolean closed;

  private NatsServer(
      ServerSettings settings, ServerPorts ports, FolderLock lock, WatchedProcess process) {
    this.settings = settings;
    this.ports = ports;
    this.lock = lock;
    this.process = process;
  }

  /** For a server that is not the default one. */
  public static NatsServerBuilder builder() {
    return new NatsServerBuilder();
  }

  /** Starts one with JetStream on a free port, in a temporary folder. */
  public static NatsServer start() {
    return builder().start();
  }

  static NatsServer start(ServerSettings settings) {
    Folders.make(settings.folder());
    FolderLock lock = FolderLock.take(settings.folder());
    try {
      LeftOverServer.inLocked(settings.folder()).ifPresent(LeftOverServer::end);
      return launch(settings, lock);
    } catch (RuntimeException e) {
      lock.close();
      settings.temporaryFolder().ifPresent(Folders::deleteAll);
      throw e;
    }
  }

  private static NatsServer launch(ServerSettings settings, FolderLock lock) {
    for (int i = 1; ; i++) {
      ServerPorts ports = ServerPorts.choose(settings);
      try {
        return new NatsServer(settings, ports, lock, ServerLaunch.run(settings, ports));
      } catch (PortTakenException e) {
        boolean otherPortsHelp = settings.port().isEmpty() && i < PORT_TRIES;
        if (!otherPortsHelp) {
          throw e;
        }
      }
    }
  }

  /** Such as {@code nats://127.0.0.1:24222}. */
  public String url() {
    return "nats://127.0.0.1:" + port();
  }

  public int port() {
    return ports.client();
  }

  /** Where its monitoring pages are, if {@link NatsServerBuilder#monitoring} is on. */
  public Optional<URI> monitoringUri() {
    return ports.monitoring().isPresent()
        ? Optional.of(URI.create("http://127.0.0.1:" + ports.monitoring().getAsInt()))
        : Optional.empty();
  }

  /** The process id of the server itself; another one after each start. */
  public synchronized long pid() {
    return process.pid();
  }

  public String name() {
    return settings.name();
  }

  public ServerVersion version() {
    return settings.binary().version();
  }

  public Path storeFolder() {
    return settings.folder();
  }

  /** What all its runs have logged. */
  public Path logFile() {
    return settings.files().log();
  }

  public synchronized boolean isRunning() {
    return process.isAlive();
  }

  /** Ends it with SIGKILL, as a crash would, and waits until it is gone. */
  public synchronized void kill() {
    if (process.isAlive()) {
      process.kill();
      awaitEnd();
    }
  }

  /** Ends it with SIGTERM, after which it writes what it must, and waits until it is gone. */
  public synchronized void stop() {
    if (process.isAlive()) {
      if (frozen) {
        thaw();
      }
      process.terminate();
      if (!process.awaitEnd(END_LIMIT)) {
        kill();
      }
    }
  }

  /** Starts it with the same port and data, after {@link #kill()} or {@link #stop()}. */
  public synchronized void startAgain() {
    if (closed) {
      throw new IllegalStateException("the server " + name() + " is closed");
    }
    if (process.isAlive()) {
      throw new IllegalStateException("the server " + name() + " is running");
    }
    frozen = false;
    try {
      process = ServerLaunch.run(settings, ports);
    } catch (PortTakenException e) {
      if (!Waiting.until(settings.startTimeout(), () -> Ports.isFree(port()))) {
        throw e;
      }
      process = ServerLaunch.run(settings, ports);
    }
  }

  /** {@link #stop()} and {@link #startAgain()}. */
  public synchronized void restart() {
    stop();
    startAgain();
  }

  /**
   * Stops it in its tracks with SIGSTOP: it keeps its connections, and from the return on says
   * nothing.
   */
  public synchronized void freeze() {
    process.signal("STOP");
    frozen = true;
    if (!Waiting.until(END_LIMIT, () -> ThreadStates.allStopped(process.pid()))) {
      throw new NatsServerException("nats-server (process " + process.pid() + ") does not stop");
    }
  }

  /** Lets it go on after {@link #freeze()}. */
  public synchronized void thaw() {
    process.signal("CONT");
    frozen = false;
  }

  /** Ends it, and deletes its folder if that is a temporary one. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    if (settings.temporary()) {
      kill();
    } else {
      stop();
    }
    closed = true;
    lock.close();
    settings.temporaryFolder().ifPresent(Folders::deleteAll);
  }

  private void awaitEnd() {
    if (!process.awaitEnd(END_LIMIT)) {
      throw new NatsServerException(
          "nats-server (process " + process.pid() + ") does not end, although it was killed");
    }
  }

  @Override
  public String toString() {
    return "nats-server " + version() + " at " + url();
  }
}
