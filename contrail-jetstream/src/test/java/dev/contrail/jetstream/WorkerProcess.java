package dev.contrail.jetstream;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** A {@link WorkerMain} in a JVM of its own, which can be killed, stopped and continued. */
final class WorkerProcess implements AutoCloseable {
  private final Process process;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Thread reader;

  private WorkerProcess(Process process) {
    this.process = process;
    this.reader = new Thread(this::read, "output of worker " + process.pid());
    this.reader.setDaemon(true);
    this.reader.start();
  }

  static WorkerProcess start(WorkerOrders orders) {
    return start(WorkerMain.class, orders.arguments());
  }

  /** One that does something else. */
  static WorkerProcess start(Class<?> main, List<String> arguments) {
    return start(System.getProperty("java.class.path"), main, arguments);
  }

  /** The same with other classes to be found. */
  static WorkerProcess start(String classPath, Class<?> main, List<String> arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                classPath,
                main.getName()));
    command.addAll(arguments);
    try {
      return new WorkerProcess(
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  WorkerProcess await(Predicate<List<String>> seen) {
    Awaitility.await()
        .atMost(Workplace.SOON)
        .failFast("the worker ended", () -> !process.isAlive() && !seen.test(lines))
        .until(() -> seen.test(lines));
    return this;
  }

  WorkerProcess await(String line) {
    return await(all -> all.contains(line));
  }

  List<String> lines() {
    return lines;
  }

  /** kill -9. */
  void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  void awaitEnd() {
    try {
      if (!process.waitFor(Workplace.SOON.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("the worker did not end");
      }
      reader.join(Workplace.SOON.toMillis());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  void signal(String signal) {
    try {
      int code =
          new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
      if (code != 0) {
        throw new AssertionError("kill -" + signal + " failed with " + code);
      }
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Ends it in order. */
  void drain() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    awaitEnd();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    awaitEnd();
  }

  private void read() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      String line;
      while ((line = output.readLine()) != null) {
        lines.add(line);
      }
    } catch (IOException e) {
      lines.add("output broken: " + e);
    }
  }
}
