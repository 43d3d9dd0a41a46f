package dev.contrail.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A redis-server process on 127.0.0.1 that this JVM started, in a temporary folder. What it
 * confirms it has written to disk, unless told otherwise. It ends with the JVM, also when that is
 * killed. All methods may be called from any thread.
 */
public final class RedisServer implements AutoCloseable {
  static final String VARIABLE = "REDIS_SERVER";
  private static final String PROGRAM = "redis-server";
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int ANSWER_LIMIT_MS = 1_000;
  private static final int ANSWER_SIZE = 16 * 1024;
  private static final int PORT_TRIES = 5;

  private final Path program;
  private final Path folder;
  private final int port;
  private final OptionalInt tlsPort;
  private final List<String> settings;
  private WatchedProcess process;
  private boolean closed;

  private RedisServer(Path program, Path folder, OptionalInt tlsPort, List<String> settings) {
    this.program = program;
    this.folder = folder;
    this.port = Ports.free();
    this.tlsPort = tlsPort;
    this.settings = settings;
    this.process = launch();
  }

  /**
   * Starts one on a free port.
   *
   * @param settings lines as they stand in its configuration file, such as {@code appendonly no}
   * @throws RedisServerException if there is none, or it does not start
   */
  public static RedisServer start(String... settings) {
    return start(OptionalInt::empty, List.of(settings));
  }

  /**
   * Starts one that also takes connections with TLS, from clients without a certificate.
   *
   * @param certificate a PEM file, as is the key
   * @throws RedisServerException if there is none, or it does not start
   */
  public static RedisServer startWithTls(Path certificate, Path key) {
    return start(
        () -> OptionalInt.of(Ports.free()),
        List.of(
            "tls-cert-file " + certificate,
            "tls-key-file " + key,
            "tls-ca-cert-file " + certificate,
            "tls-auth-clients no"));
  }

  private static RedisServer start(Supplier<OptionalInt> tlsPort, List<String> settings) {
    Path program = find(Machine.real());
    Path folder = Folders.temporary();
    for (int i = 1; ; i++) {
      try {
        return new RedisServer(program, folder, tlsPort.get(), settings);
      } catch (RedisServerException e) {
        boolean otherPortHelps = String.valueOf(e.getMessage()).contains("in use");
        if (!otherPortHelps || i == PORT_TRIES) {
          Folders.deleteAll(folder);
          throw e;
        }
      }
    }
  }

  static Path find(Machine machine) {
    return machine
        .variable(VARIABLE)
        .map(Path::of)
        .or(
            () ->
                Stream.concat(
                        machine.pathFolders().stream(),
                        Stream.of(Path.of("/usr/bin"), Path.of("/usr/local/bin")))
                    .map(path -> path.resolve(PROGRAM))
                    .filter(machine::isProgram)
                    .findFirst())
        .filter(machine::isProgram)
        .orElseThrow(
            () ->
                new RedisServerException(
                    "redis-server was not found; install it (on Debian: apt-get install"
                        + " redis-server), or set "
                        + VARIABLE
                        + " to its path"));
  }

  /** Such as {@code redis://127.0.0.1:26379}. */
  public String url() {
    return "redis://127.0.0.1:" + port;
  }

  /**
   * Where it takes connections with TLS.
   *
   * @throws IllegalStateException if it was started without
   */
  public int tlsPort() {
    return tlsPort.orElseThrow(
        () -> new IllegalStateException("the redis-server at " + url() + " has no TLS"));
  }

  /** The process id of the server itself; another one after each start. */
  public synchronized long pid() {
    return process.pid();
  }

  /** Ends it with SIGKILL, as a crash would, and waits until it is gone. */
  public synchronized void kill() {
    process.kill();
    awaitEnd();
  }

  /** Ends it with SIGTERM, after which it writes what it must, and waits until it is gone. */
  public synchronized void stop() {
    process.terminate();
    awaitEnd();
  }

  /** Starts it with the same port and data, after {@link #kill()} or {@link #stop()}. */
  public synchronized void startAgain() {
    if (closed || process.isAlive()) {
      throw new IllegalStateException("the redis-server at " + url() + " is running, or closed");
    }
    process = launch();
  }

  /**
   * Stops it in its tracks with SIGSTOP: it keeps its connections, and from the return on says
   * nothing.
   */
  public synchronized void freeze() {
    process.signal("STOP");
    if (!Waiting.until(LIMIT, () -> ThreadStates.allStopped(process.pid()))) {
      throw new RedisServerException("redis-server (process " + process.pid() + ") does not stop");
    }
  }

  /** Lets it go on after {@link #freeze()}. */
  public synchronized void thaw() {
    process.signal("CONT");
  }

  /** Ends it, and deletes its folder. */
  @Override
  public synchronized void close() {
    if (!closed) {
      kill();
      closed = true;
      Folders.deleteAll(folder);
    }
  }

  private WatchedProcess launch() {
    Path log = folder.resolve("redis.log");
    Path config = folder.resolve("redis.conf");
    Folders.write(config, String.join("\n", configuration()) + "\n");
    long logStart = Folders.sizeOf(log);
    WatchedProcess started =
        WatchedProcess.start(
            List.of(program.toString(), config.toString()),
            folder.resolve("redis.pid"),
            log,
            Optional.of(folder));
    if (Waiting.until(LIMIT, () -> !started.isAlive() || answers(started.pid()))
        && started.isAlive()) {
      return started;
    }
    started.kill();
    started.awaitEnd(LIMIT);
    throw new RedisServerException(
        "redis-server did not start; its log ends:\n" + LogTail.since(log, logStart));
  }

  private List<String> configuration() {
    List<String> lines = new ArrayList<>();
    lines.add("bind 127.0.0.1");
    lines.add("port " + port);
    tlsPort.ifPresent(with -> lines.add("tls-port " + with));
    lines.add("dir " + folder);
    lines.add("save \"\"");
    lines.add("appendonly yes");
    lines.add("appendfsync always");
    lines.addAll(settings);
    return lines;
  }

  /** Whether it is this very process that answers, with its data loaded. */
  private boolean answers(long pid) {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER_LIMIT_MS);
      socket.setSoTimeout(ANSWER_LIMIT_MS);
      socket.getOutputStream().write("PING\r\nINFO server\r\n".getBytes(StandardCharsets.US_ASCII));
      StringBuilder answer = new StringBuilder();
      byte[] bytes = new byte[ANSWER_SIZE];
      while (!answer.toString().contains("process_id:" + pid + "\r\n")) {
        int read = socket.getInputStream().read(bytes);
        if (read < 0) {
          return false;
        }
        answer.append(new String(bytes, 0, read, StandardCharsets.UTF_8));
      }
      return answer.indexOf("+PONG") == 0;
    } catch (IOException notYet) {
      return false;
    }
  }

  private void awaitEnd() {
    if (!process.awaitEnd(LIMIT)) {
      throw new RedisServerException("redis-server (process " + process.pid() + ") does not end");
    }
  }

  @Override
  public String toString() {
    return "redis-server at " + url();
  }
}
