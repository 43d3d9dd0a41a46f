package dev.contrail.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** A process of Node with a consumer that knows nothing of Contrail. */
final class NodeConsumer implements AutoCloseable {
  /** What it does with messages. */
  enum Habit {
    ACK,
    LEAVE,
    NAK,
    DELAY,
    TERM;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Process process;
  private final Path output;

  private NodeConsumer(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  static NodeConsumer start(DeadLetterPlace place, String consumer, Habit habit) throws Exception {
    Path output = Files.createTempFile(place.folder, "node", ".txt");
    Process process =
        new ProcessBuilder(
                "node",
                modules().resolve("consumer.mjs").toString(),
                place.server.url(),
                "ORDERS",
                consumer,
                habit.text())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    NodeConsumer node = new NodeConsumer(process, output);
    node.awaitLine("ready");
    return node;
  }

  private static Path modules() throws IOException, InterruptedException {
    Process fetching =
        new ProcessBuilder(
                "../scripts/fetch-node-modules", Path.of("target/node").toAbsolutePath().toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String folder = new String(fetching.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(fetching.waitFor()).as("scripts/fetch-node-modules").isZero();
    return Path.of(folder.strip());
  }

  List<String> lines() {
    try {
      return Files.readAllLines(output);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until it says so. */
  void awaitLine(String line) {
    await().atMost(DeadLetterPlace.SOON).untilAsserted(() -> assertThat(lines()).contains(line));
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }
}
