package dev.contrail.operations.guard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A process of {@link GuardMain}. */
final class GuardProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  /** Starts guards, each with a server's address and a fault. */
  GuardProcess(List<String> arguments) throws IOException {
    this(arguments, 256);
  }

  /** The same with so much memory; with less it ends. */
  GuardProcess(List<String> arguments, int megabytes) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx" + megabytes + "m",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                GuardMain.class.getName()));
    command.addAll(arguments);
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    output = process.inputReader(UTF_8);
  }

  /** Reads until it has said all of these. */
  void await(Set<String> lines) throws IOException {
    Set<String> missing = new HashSet<>(lines);
    while (!missing.isEmpty()) {
      String line = output.readLine();
      assertThat(line).as("guard ended before it said %s", missing).isNotNull();
      missing.remove(line);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  void goOn() throws IOException {
    process.outputWriter(UTF_8).append("go on\n").flush();
  }

  void signal(String name) throws Exception {
    assertThat(
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor())
        .isZero();
  }

  /** With -9. */
  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }
}
