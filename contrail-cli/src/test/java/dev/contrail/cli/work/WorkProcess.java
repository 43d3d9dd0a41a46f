package dev.contrail.cli.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The program in a process of its own, as a user starts it. */
final class WorkProcess implements AutoCloseable {
  private final Process process;
  private final Path out;
  private final Path err;

  private WorkProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  static WorkProcess start(Path folder, String... arguments) throws IOException {
    Path out = Files.createTempFile(folder, "work", ".out");
    Path err = Files.createTempFile(folder, "work", ".err");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().put("XDG_CONFIG_HOME", folder.toString());
    builder.redirectOutput(out.toFile()).redirectError(err.toFile());
    return new WorkProcess(builder.start(), out, err);
  }

  String out() throws IOException {
    return Files.readString(out);
  }

  String err() throws IOException {
    return Files.readString(err);
  }

  WorkProcess awaitWorking() {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              assertThat(process.isAlive()).as("it runs: %s", err()).isTrue();
              assertThat(err()).contains("Ctrl-C ends");
            });
    return this;
  }

  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("sh", "-c", "kill -s " + name + " " + process.pid()).start().waitFor();
  }

  int awaitExit() throws InterruptedException, IOException {
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends: %s", err()).isTrue();
    return process.exitValue();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
