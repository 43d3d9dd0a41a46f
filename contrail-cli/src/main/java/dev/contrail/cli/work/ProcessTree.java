package dev.contrail.cli.work;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command and everything it started. Where {@code setsid} is to be had, it runs in a process
 * group of its own: Ctrl-C in the terminal then reaches the worker alone, which lets the command
 * finish, and its descendants can be ended also when their parents are gone.
 */
final class ProcessTree {
  private static final Logger log = LoggerFactory.getLogger(ProcessTree.class);
  private static final Duration GRACE = Duration.ofSeconds(2);
  private static final long LOOK_EVERY_MILLIS = 20;

  private final Process process;
  private final boolean ownGroup;

  private ProcessTree(Process process, boolean ownGroup) {
    this.process = process;
    this.ownGroup = ownGroup;
  }

  /** Whether a process group of its own can be given to a command, going by the search path. */
  static boolean canGroup(String searchPath) {
    return Stream.of(searchPath.split(":", -1))
        .filter(folder -> !folder.isEmpty())
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "setsid")));
  }

  static ProcessTree start(String command, Map<String, String> variables, boolean ownGroup)
      throws IOException {
    List<String> shell = List.of("sh", "-c", command);
    List<String> line = new ArrayList<>(ownGroup ? List.of("setsid") : List.of());
    line.addAll(shell);
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().putAll(variables);
    return new ProcessTree(builder.start(), ownGroup);
  }

  Process process() {
    return process;
  }

  /**
   * Asks all of them to end, and kills those that have not after two seconds. Goes through with it
   * also when interrupted.
   */
  void end() {
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    boolean interrupted = Thread.interrupted();
    all.forEach(ProcessHandle::destroy);
    interrupted |= signalGroup("TERM");
    interrupted |= awaitEnd(all);
    all.forEach(ProcessHandle::destroyForcibly);
    interrupted |= signalGroup("KILL");
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean awaitEnd(List<ProcessHandle> all) {
    boolean interrupted = false;
    long end = System.nanoTime() + GRACE.toNanos();
    while (all.stream().anyMatch(ProcessHandle::isAlive) && System.nanoTime() < end) {
      try {
        Thread.sleep(LOOK_EVERY_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }

  private boolean signalGroup(String signal) {
    if (!ownGroup) {
      return false;
    }
    try {
      Process kill =
          new ProcessBuilder("sh", "-c", "kill -s " + signal + " -- -" + process.pid())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      kill.waitFor();
      return false;
    } catch (IOException e) {
      log.warn("the process group {} cannot be signalled: {}", process.pid(), e.toString());
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }
}
