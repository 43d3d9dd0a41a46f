package dev.contrail.bench;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A redis-server process on 127.0.0.1 that keeps nothing on disk. It ends with this JVM, also when
 * that is killed: a small shell waits at a pipe that only this JVM holds open.
 */
public final class RedisServer implements AutoCloseable {
  private static final String PROGRAM = "redis-server";
  private static final String WATCHDOG =
      "\"$@\" </dev/null >/dev/null 2>&1 & server=$!; read -r _; kill \"$server\"; wait \"$server\"";
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final long BETWEEN_TRIES = Duration.ofMillis(20).toNanos();

  private final Process watchdog;
  private final int port;

  private RedisServer(Process watchdog, int port) {
    this.watchdog = watchdog;
    this.port = port;
  }

  /**
   * Starts one if its program is there.
   *
   * @param path the folders in which programs are looked for, as in the variable PATH
   * @throws BenchException when it is there but does not start
   */
  public static Optional<RedisServer> startIfInstalled(String path) {
    return Arrays.stream(path.split(File.pathSeparator, -1))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, PROGRAM))
        .filter(Files::isExecutable)
        .findFirst()
        .map(RedisServer::start);
  }

  private static RedisServer start(Path program) {
    try {
      int port = freePort();
      RedisServer server = new RedisServer(launch(program, port), port);
      server.awaitReady(program);
      return server;
    } catch (IOException e) {
      throw new BenchException("cannot start " + program + ": " + e.getMessage(), e);
    }
  }

  private static Process launch(Path program, int port) throws IOException {
    // In a session of its own: a Ctrl-C in the terminal is for the bench, which still needs it.
    List<String> session =
        Files.isExecutable(Path.of("/usr/bin/setsid")) ? List.of("/usr/bin/setsid") : List.of();
    ProcessBuilder command = new ProcessBuilder();
    command.command().addAll(session);
    command.command().addAll(List.of("sh", "-c", WATCHDOG, "bench-watchdog", program.toString()));
    command.command().addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1"));
    command.command().addAll(List.of("--save", "", "--appendonly", "no", "--daemonize", "no"));
    return command
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitReady(Path program) {
    long started = System.nanoTime();
    while (!answers()) {
      if (System.nanoTime() - started > LIMIT.toNanos() || !watchdog.isAlive()) {
        close();
        throw new BenchException(program + " does not start");
      }
      LockSupport.parkNanos(BETWEEN_TRIES);
    }
  }

  private boolean answers() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  public String url() {
    return "redis://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    try {
      watchdog.getOutputStream().close();
      if (!watchdog.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new BenchException("redis-server does not end");
      }
    } catch (IOException e) {
      throw new BenchException("cannot end redis-server: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      // The shell ends it all the same.
      Thread.currentThread().interrupt();
    }
  }
}
