package dev.contrail.operations.cluster;

import dev.contrail.jetstream.ContrailException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A JVM of its own whose output goes to a file, and which can be killed. */
final class ClusterProcess implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  final String name;
  private final Process process;
  private final Path output;

  ClusterProcess(String name, Path folder, Class<?> main, String... arguments) throws IOException {
    this.name = name;
    this.output = folder.resolve(name + ".out");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(arguments));
    this.process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
  }

  /** Does it until it works, as whoever runs it would: servers are away at times. */
  static <T> T insist(Supplier<T> start) throws InterruptedException {
    while (true) {
      try {
        return start.get();
      } catch (ContrailException e) {
        System.out.println("did not start: " + e.getMessage());
        Thread.sleep(500);
      }
    }
  }

  /** Whether it was killed, or gave up. */
  boolean isOver() {
    return !process.isAlive();
  }

  /** kill -9. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Ends it in order. */
  void end() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("process " + name + " does not end");
    }
  }

  @Override
  public void close() {
    try {
      kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
