package dev.contrail.cli.drill.own;

import dev.contrail.cli.drill.place.DrillException;
import dev.contrail.cli.drill.place.Workplace;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A worker that the user's command starts, with all that it starts in turn. */
final class OwnWorker implements AutoCloseable {
  private static final long END_SECONDS = 20;
  private static final int LINES = 5;

  private final Process process;
  private final boolean ownGroup;
  private final Path output;

  private OwnWorker(Process process, boolean ownGroup, Path output) {
    this.process = process;
    this.ownGroup = ownGroup;
    this.output = output;
  }

  /**
   * Starts it.
   *
   * @param folder where the command is run
   * @param runs the file to which it may report
   */
  static OwnWorker start(String command, Workplace place, Path folder, Path runs) {
    // In a process group of its own, so that what it started can be killed when it is gone.
    boolean ownGroup =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
            .anyMatch(path -> !path.isEmpty() && Files.isExecutable(Path.of(path, "setsid")));
    List<String> line = new ArrayList<>(ownGroup ? List.of("setsid") : List.of());
    line.addAll(List.of("sh", "-c", command));
    Path output = place.site().scratch().resolve("own.out");
    ProcessBuilder builder = new ProcessBuilder(line).directory(folder.toFile());
    builder.environment().putAll(place.site().variables());
    builder.environment().putAll(variables(place, runs));
    try {
      return new OwnWorker(
          builder
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
              .start(),
          ownGroup,
          output);
    } catch (IOException e) {
      throw new DrillException("the worker cannot be started: " + e.getMessage(), e);
    }
  }

  private static Map<String, String> variables(Workplace place, Path runs) {
    Map<String, String> variables = new HashMap<>();
    variables.put("NATS_URL", place.site().url());
    variables.put("DRILL_SERVER", place.site().url());
    variables.put("DRILL_STREAM", place.stream());
    variables.put("DRILL_CONSUMER", place.consumerName());
    variables.put("DRILL_SUBJECT", place.subject());
    variables.put("DRILL_PREFIX", place.names().prefix());
    variables.put("DRILL_RUNS", runs.toString());
    // So that contrail work keeps what it stores where it is deleted at the end.
    variables.put("CONTRAIL_PREFIX", place.names().prefix());
    return variables;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** How it ended by itself, and what it said last. */
  String lastWords() {
    String said = "";
    try {
      List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
      said = String.join(" ", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    } catch (IOException e) {
      said = "what it said cannot be read";
    }
    return "exit code " + process.exitValue() + (said.isEmpty() ? "" : "; it said: " + said);
  }

  /** kill -9 of all of them. */
  void kill() {
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    signalGroup();
    all.forEach(ProcessHandle::destroyForcibly);
    boolean interrupted = false;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
    while (all.stream().anyMatch(ProcessHandle::isAlive) && System.nanoTime() - end < 0) {
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void signalGroup() {
    if (!ownGroup) {
      return;
    }
    boolean interrupted = Thread.interrupted();
    try {
      // The shell's own kill takes groups everywhere.
      var unused =
          new ProcessBuilder("sh", "-c", "kill -s KILL -- -" + process.pid())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor();
    } catch (IOException e) {
      throw new DrillException("the worker's processes cannot be killed: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    kill();
  }
}
