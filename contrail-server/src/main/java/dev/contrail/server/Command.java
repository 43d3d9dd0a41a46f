package dev.contrail.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One run of another program, with its output taken and nothing to read on its stdin. */
record Command(List<String> words, Duration limit) {
  private static final Duration DEFAULT_LIMIT = Duration.ofSeconds(20);

  Command {
    words = List.copyOf(words);
  }

  static Command of(String... words) {
    return new Command(List.of(words), DEFAULT_LIMIT);
  }

  Command within(Duration newLimit) {
    return new Command(words, newLimit);
  }

  record Result(int exitCode, String output) {
    boolean succeeded() {
      return exitCode == 0;
    }
  }

  /** Runs it to its end. A program that cannot be started gives exit code 127, as in a shell. */
  Result run() {
    Path output = null;
    try {
      // A file, not a pipe: a grandchild that lives on would keep a pipe open for ever.
      output = Files.createTempFile("contrail-", ".out");
      Process process = start(output);
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        return new Result(124, "no end after " + limit.toSeconds() + " s");
      }
      return new Result(
          process.exitValue(),
          new String(Files.readAllBytes(output), StandardCharsets.UTF_8).strip());
    } catch (IOException e) {
      return new Result(127, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NatsServerException("interrupted while running " + String.join(" ", words), e);
    } finally {
      Folders.deleteIfThere(output);
    }
  }

  private Process start(Path output) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().putAll(Map.of("DEBIAN_FRONTEND", "noninteractive", "LC_ALL", "C"));
    return builder
        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }
}
