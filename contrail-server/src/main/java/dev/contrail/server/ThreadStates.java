package dev.contrail.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the system says of the threads of a process. SIGSTOP reaches them one by one, so some may
 * run on for a moment after it was sent.
 */
final class ThreadStates {
  private ThreadStates() {}

  /** Whether no thread runs any more. Where the system does not tell, it is taken for granted. */
  static boolean allStopped(long pid) {
    Path threads = Path.of("/proc", Long.toString(pid), "task");
    if (!Files.isDirectory(threads)) {
      return true;
    }
    try (Stream<Path> all = Files.list(threads)) {
      List<Path> folders = all.toList();
      for (Path folder : folders) {
        if (!isStopped(Files.readString(folder.resolve("stat")))) {
          return false;
        }
      }
      return true;
    } catch (IOException aThreadEndedMeanwhile) {
      return false;
    }
  }

  /**
   * The state is the letter after the name, which stands in brackets and may hold any character.
   */
  static boolean isStopped(String stat) {
    int state = stat.lastIndexOf(')') + 2;
    return state < stat.length() && "TtZX".indexOf(stat.charAt(state)) >= 0;
  }
}
