package dev.contrail.cli.replay;

import dev.contrail.cli.command.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The editor of the user's choice. */
final class Editor {
  private final String command;

  private Editor(String command) {
    this.command = command;
  }

  /**
   * The one that the environment names.
   *
   * @throws CommandFailure when it names none
   */
  static Editor of(Map<String, String> env) {
    for (String variable : new String[] {"VISUAL", "EDITOR"}) {
      String command = env.getOrDefault(variable, "").strip();
      if (!command.isEmpty()) {
        return new Editor(command);
      }
    }
    throw CommandFailure.usage(
        "which editor? Set EDITOR, such as EDITOR=vi, or give the payload with contrail dlq replay"
            + " --payload-file");
  }

  /**
   * Has the user edit a file.
   *
   * @throws CommandFailure when the editor fails
   */
  void edit(Path file) throws InterruptedException {
    try {
      // By the shell, since people set it to a command with options.
      int status =
          new ProcessBuilder("sh", "-c", command + " \"$1\"", "sh", file.toString())
              .inheritIO()
              .start()
              .waitFor();
      if (status != 0) {
        throw CommandFailure.failed(
            "the editor '" + command + "' ended with " + status + ", and nothing was changed");
      }
    } catch (IOException e) {
      throw CommandFailure.failed(
          "the editor '" + command + "' cannot be started: " + e.getMessage(), e);
    }
  }

  /** The text as people meant it: most editors end the last line whether it was ended or not. */
  static byte[] withoutAddedLineEnd(byte[] before, byte[] after) {
    boolean ended = before.length > 0 && before[before.length - 1] == '\n';
    boolean endsNow = after.length > 0 && after[after.length - 1] == '\n';
    return endsNow && !ended ? java.util.Arrays.copyOf(after, after.length - 1) : after;
  }

  static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw CommandFailure.failed(file + " holds the payload and cannot be deleted", e);
    }
  }
}
