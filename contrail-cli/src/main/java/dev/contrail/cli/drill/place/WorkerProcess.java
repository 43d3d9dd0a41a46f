package dev.contrail.cli.drill.place;

import dev.contrail.cli.drill.worker.Point;
import dev.contrail.cli.drill.worker.RunLine;
import dev.contrail.cli.drill.worker.RunLine.What;
import dev.contrail.cli.drill.worker.WorkerOrders;
import dev.contrail.cli.output.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A worker in a JVM of its own, which can be killed, stopped and continued. */
public final class WorkerProcess implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(5);
  private static final Duration END = Duration.ofSeconds(20);
  private static final String MAIN = "dev.contrail.cli.Main";

  private final Process process;
  private final Path log;
  private final Path output;
  private volatile boolean killed;
  private volatile boolean stopped;

  private WorkerProcess(Process process, Path log, Path output) {
    this.process = process;
    this.log = log;
    this.output = output;
  }

  /**
   * Starts one.
   *
   * @param files the name of its files, without an ending
   */
  static WorkerProcess start(Site site, WorkerOrders orders, Path files) {
    Path log = Path.of(files + ".log");
    Path told = Path.of(files + ".json");
    Path output = Path.of(files + ".out");
    try {
      Files.writeString(told, Json.line(orders.logging(log)));
      Files.writeString(log, "");
      ProcessBuilder builder = new ProcessBuilder(command(told, site.flags()));
      builder.environment().keySet().removeIf(name -> name.matches("(NATS|CONTRAIL)_.*"));
      builder.environment().putAll(site.variables());
      Process process =
          builder
              .directory(site.folder().toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      return new WorkerProcess(process, log, output);
    } catch (IOException e) {
      throw new DrillException("a worker cannot be started: " + e.getMessage(), e);
    }
  }

  /** The program itself, with the same Java and from the same place. */
  private static List<String> command(Path orders, List<String> flags) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx256m",
                "-cp",
                absolute(System.getProperty("java.class.path")),
                MAIN,
                "drill-worker",
                orders.toString()));
    command.addAll(flags);
    return command;
  }

  /** Processes are started in other folders. */
  private static String absolute(String classPath) {
    List<String> entries = new ArrayList<>();
    for (String entry : classPath.split(java.io.File.pathSeparator, -1)) {
      entries.add(entry.isEmpty() ? entry : Path.of(entry).toAbsolutePath().toString());
    }
    return String.join(java.io.File.pathSeparator, entries);
  }

  /** What it wrote down so far. */
  public List<RunLine> lines() {
    try {
      String text = Files.readString(log, StandardCharsets.UTF_8);
      return text.substring(0, text.lastIndexOf('\n') + 1)
          .lines()
          .flatMap(line -> RunLine.parse(line).stream())
          .toList();
    } catch (IOException e) {
      throw new DrillException("the log of a worker cannot be read: " + e.getMessage(), e);
    }
  }

  /** Waits until it works. */
  public WorkerProcess awaitUp() throws InterruptedException {
    return await(line -> line.what() == What.UP, "begin to work");
  }

  /** Waits until it did what it was told to. */
  public void awaitFinished() throws InterruptedException {
    var unused = await(line -> line.what() == What.FINISHED, "finish");
  }

  /** Waits until it stands at its point; tells the subject of what it is about to send, or sent. */
  public String awaitAt(Point point) throws InterruptedException {
    var unused = await(line -> line.what() == What.AT, "get to the point " + point.text());
    return lines().stream()
        .filter(line -> line.what() == What.AT)
        .map(RunLine::detail)
        .map(detail -> detail.substring(detail.indexOf(' ') + 1))
        .findFirst()
        .orElseThrow();
  }

  private WorkerProcess await(Predicate<RunLine> wanted, String what) throws InterruptedException {
    boolean there =
        Waiting.until(START, () -> lines().stream().anyMatch(wanted) || !process.isAlive());
    if (lines().stream().noneMatch(wanted)) {
      throw new DrillException(
          "a worker did not "
              + what
              + (there ? "; it ended with " + process.exitValue() : " within " + START)
              + tail());
    }
    return this;
  }

  private String tail() {
    try {
      List<String> said = Files.readAllLines(output, StandardCharsets.UTF_8);
      return said.isEmpty()
          ? ""
          : " and said: "
              + String.join(" ", said.subList(Math.max(0, said.size() - 5), said.size()));
    } catch (IOException e) {
      return "";
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Whether the drill killed it, or stopped it for a while. */
  public boolean wasDisturbed() {
    return killed || stopped;
  }

  /** kill -9. */
  public void kill() throws InterruptedException {
    killed = true;
    process.destroyForcibly();
    if (!process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
      throw new DrillException("worker " + process.pid() + " does not end, although it was killed");
    }
  }

  /** Stops it in its tracks. */
  public void freeze() throws InterruptedException {
    stopped = true;
    signal("STOP");
  }

  /** Lets it go on. */
  public void thaw() throws InterruptedException {
    signal("CONT");
  }

  private void signal(String signal) throws InterruptedException {
    try {
      int code =
          new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
      if (code != 0) {
        throw new DrillException("worker " + process.pid() + " takes no SIG" + signal);
      }
    } catch (IOException e) {
      throw new DrillException("worker " + process.pid() + " takes no SIG" + signal, e);
    }
  }

  /** Ends it in order, or at least. */
  public void drain() throws InterruptedException {
    try {
      process.getOutputStream().close();
    } catch (IOException gone) {
      // It has ended.
    }
    if (!process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }

  /** The first line of that kind, if it wrote one. */
  public Optional<RunLine> first(What what) {
    return lines().stream().filter(line -> line.what() == what).findFirst();
  }

  /** Kills it, and waits until it is gone: one that lives makes the streams again. */
  @Override
  public void close() {
    process.destroyForcibly();
    boolean interrupted = false;
    while (process.isAlive()) {
      try {
        if (!process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
          break;
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
