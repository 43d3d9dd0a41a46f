package dev.contrail.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that does not outlive this JVM, however the JVM ends. A small shell starts it and reads
 * from a pipe that only this JVM holds open; at its end, which comes also with {@code kill -9}, the
 * shell kills the process. There is no shutdown hook on purpose: hooks run all at once, and one
 * here would take the server from under another that still drains its work.
 */
final class WatchedProcess {
  private static final String WATCHDOG =
      """
      pidfile=$1 log=$2 temporary=$3
      shift 3
      exec 3<&0
      "$@" </dev/null >>"$log" 2>&1 3<&- &
      server=$!
      echo "$server" >"$pidfile"
      echo "$server"
      exec >/dev/null 2>&1
      { read -r _ <&3; trap '' TERM; kill -KILL "$server"; exit 0; } &
      watch=$!
      wait "$server"
      status=$?
      kill "$watch"
      if wait "$watch" && [ -n "$temporary" ]; then rm -rf -- "$temporary"; fi
      exit "$status"
      """;

  private final Process watchdog;
  private final long pid;
  // Taken at once, as a process id may be used again; empty if the process has ended already.
  private final Optional<ProcessHandle> process;

  private WatchedProcess(Process watchdog, long pid) {
    this.watchdog = watchdog;
    this.pid = pid;
    this.process = ProcessHandle.of(pid);
  }

  /**
   * Starts the command.
   *
   * @param temporary a folder to delete when this JVM ends first
   */
  static WatchedProcess start(
      List<String> command, Path pidFile, Path log, Optional<Path> temporary) {
    List<String> words = new ArrayList<>();
    if (Machine.real().has("setsid")) {
      // A Ctrl-C in the terminal is for the program, which may need its server until it has
      // drained.
      words.add("setsid");
    }
    words.addAll(List.of("sh", "-c", WATCHDOG, "contrail-watchdog"));
    words.addAll(List.of(pidFile.toString(), log.toString()));
    words.add(temporary.map(Path::toString).orElse(""));
    words.addAll(command);
    try {
      Process watchdog =
          new ProcessBuilder(words)
              .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      return new WatchedProcess(watchdog, readPid(watchdog));
    } catch (IOException e) {
      throw new NatsServerException("cannot start " + command.get(0) + ": " + e.getMessage(), e);
    }
  }

  private static long readPid(Process watchdog) throws IOException {
    // Not closed: that would give the pipe back, and the handle of the process owns it.
    BufferedReader output =
        new BufferedReader(
            new InputStreamReader(watchdog.getInputStream(), StandardCharsets.UTF_8));
    @Nullable String pid = output.readLine();
    if (pid == null) {
      throw new IOException("the shell that watches it ended at once");
    }
    return Long.parseLong(pid);
  }

  long pid() {
    return pid;
  }

  boolean isAlive() {
    return watchdog.isAlive();
  }

  /** SIGTERM. */
  void terminate() {
    process.ifPresent(ProcessHandle::destroy);
  }

  /** SIGKILL. */
  void kill() {
    process.ifPresent(ProcessHandle::destroyForcibly);
  }

  /** Sends a signal that Java has no method for, such as STOP. */
  void signal(String name) {
    Command.Result result =
        Command.of("sh", "-c", "kill -s \"$1\" \"$2\"", "sh", name, Long.toString(pid)).run();
    if (!result.succeeded()) {
      throw new NatsServerException(
          "cannot send SIG" + name + " to process " + pid() + ": " + result.output());
    }
  }

  /** True when the process has ended and is no longer known to the system. */
  boolean awaitEnd(Duration limit) {
    try {
      return watchdog.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NatsServerException("interrupted while waiting for process " + pid(), e);
    }
  }
}
