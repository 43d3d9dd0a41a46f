package dev.contrail.cli.replay;

import dev.contrail.cli.command.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
   * Has the user edit a payload.
   *
   * @return the file with what came of it
   * @throws CommandFailure when the editor fails; what was written by then is kept
   */
  Path open(long number, byte[] payload) throws IOException, InterruptedException {
    boolean json = payload.length > 0 && (payload[0] == '{' || payload[0] == '[');
    Path file = Files.createTempFile("contrail-" + number + "-", json ? ".json" : ".txt");
    Files.write(file, payload);
    // By the shell, since people set it to a command with options.
    int status =
        new ProcessBuilder("sh", "-c", command + " \"$1\"", "sh", file.toString())
            .inheritIO()
            .start()
            .waitFor();
    if (status != 0) {
      boolean changed = !Arrays.equals(payload, Files.readAllBytes(file));
      if (!changed) {
        delete(file);
      }
      throw CommandFailure.failed(
          "the editor '"
              + command
              + "' ended with "
              + status
              + ", and nothing was changed"
              + (changed ? "; what you wrote is in " + file : ""));
    }
    return file;
  }

  /** The text as people meant it: most editors end the last line whether it was ended or not. */
  static byte[] withoutAddedLineEnd(byte[] before, byte[] after) {
    boolean ended = before.length > 0 && before[before.length - 1] == '\n';
    boolean endsNow = after.length > 0 && after[after.length - 1] == '\n';
    return endsNow && !ended ? Arrays.copyOf(after, after.length - 1) : after;
  }

  static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw CommandFailure.failed(file + " holds the payload and cannot be deleted", e);
    }
  }
}
