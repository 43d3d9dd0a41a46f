package dev.contrail.cli;

import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Terminal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** Where the program starts. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    Map<String, String> env = System.getenv();
    Surroundings surroundings =
        new Surroundings(
            env,
            Path.of("").toAbsolutePath(),
            Path.of(System.getProperty("user.home", "/")),
            utf8(FileDescriptor.out),
            utf8(FileDescriptor.err),
            Terminal.detect(env));
    System.exit(Program.run(surroundings, args));
  }

  private static PrintWriter utf8(FileDescriptor descriptor) {
    return new PrintWriter(
        new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8), true);
  }
}
