package dev.contrail.cli;

import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What tests of commands have in common: a folder and variables of their own, and no terminal. */
abstract class CommandTest {
  @TempDir Path folder;
  final Map<String, String> env = new HashMap<>();
  Terminal terminal = Terminal.none();

  /** What the last command printed. */
  String out = "";

  String err = "";

  /** Or the contexts of whoever runs the tests would be found. */
  @BeforeEach
  void know_no_contexts() {
    env.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
  }

  /** Runs a command as the program does; returns its exit code. */
  int run(String... args) {
    StringWriter outText = new StringWriter();
    StringWriter errText = new StringWriter();
    int exitCode =
        Program.run(
            new Surroundings(
                env, folder, folder, new PrintWriter(outText), new PrintWriter(errText), terminal),
            args);
    out = outText.toString();
    err = errText.toString();
    return exitCode;
  }
}
