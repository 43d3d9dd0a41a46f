package dev.contrail.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.cli.Main;
import dev.contrail.cli.command.ExitCode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as a process of its own, as a newcomer starts it. */
@Tag("slow")
class DemoTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Pattern CONSOLE = Pattern.compile("(http://127\\.0\\.0\\.1:\\d+/)");
  private static final Pattern PORT = Pattern.compile("nats://127\\.0\\.0\\.1:(\\d+)");

  @TempDir Path folder;
  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void end() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly();
      process.waitFor();
    }
  }

  @Test
  void ends_by_itself_with_every_kind_of_failure_in_its_summary_and_nothing_left()
      throws Exception {
    Process demo = start("--for", "12s", "--rate", "300");

    assertThat(demo.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).as("ended in time").isTrue();
    assertThat(demo.exitValue()).as(output()).isZero();
    assertThat(output()).contains("Every order is accounted for");
    assertThat(count("deduplicated")).isZero();
    for (String kind : List.of("dead: rejected", "dead: undecodable", "dead: delivery-limit")) {
      assertThat(count(kind)).as(kind + " in\n" + output()).isPositive();
    }
    assertNothingLeft();
  }

  @Test
  void its_console_shows_every_kind_of_failure_within_20_seconds() throws Exception {
    start();
    await().atMost(SOON).until(() -> CONSOLE.matcher(output()).find());
    Matcher address = CONSOLE.matcher(output());
    assertThat(address.find()).isTrue();
    HttpClient client = HttpClient.newHttpClient();
    long told = System.nanoTime();
    Set<String> missing = new TreeSet<>(Set.of("rejected", "undecodable", "delivery-limit"));
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              String groups =
                  client
                      .send(
                          HttpRequest.newBuilder(
                                  URI.create(address.group(1)).resolve("/api/v1/groups"))
                              .build(),
                          BodyHandlers.ofString())
                      .body();
              missing.removeIf(reason -> groups.contains('"' + reason + '"'));
              return missing.isEmpty();
            });
    assertThat(Duration.ofNanos(System.nanoTime() - told)).isLessThan(Duration.ofSeconds(20));
    String page =
        client
            .send(
                HttpRequest.newBuilder(URI.create(address.group(1)))
                    .header("Accept", "text/html")
                    .build(),
                BodyHandlers.ofString())
            .body();
    assertThat(page).contains("Worst groups", "Replay");
    assertThat(output()).as("nothing but the demo's own screen").doesNotContain(" WARN ", "event=");
  }

  @Test
  void ctrl_c_ends_it_with_the_summary() throws Exception {
    Process demo = start();
    await().atMost(SOON).until(() -> output().contains("published"));

    signal(demo, "INT");

    assertThat(demo.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).as("ended in time").isTrue();
    assertThat(output()).contains("Every order is accounted for");
    assertNothingLeft();
  }

  @Test
  void a_killed_demo_leaves_no_server_and_the_next_one_starts() throws Exception {
    Process demo = start();
    await().atMost(SOON).until(() -> output().contains("published"));

    demo.destroyForcibly().waitFor();

    await().atMost(SOON).untilAsserted(this::assertNoServer);
    Process next = start("--for", "1s");
    assertThat(next.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).as("ended in time").isTrue();
    assertThat(next.exitValue()).as(output()).isZero();
  }

  @Test
  void when_its_server_ends_it_says_so_and_where_the_log_is() throws Exception {
    Process demo = start();
    await().atMost(SOON).until(() -> output().contains("published"));

    servers().findFirst().orElseThrow().destroyForcibly();

    assertThat(demo.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).as("ended in time").isTrue();
    assertThat(demo.exitValue()).as(output()).isEqualTo(ExitCode.FAILED);
    Matcher sentence =
        Pattern.compile("contrail: the nats-server of this demo ended; its log is (.*)")
            .matcher(output());
    assertThat(sentence.find()).as(output()).isTrue();
    assertThat(Path.of(sentence.group(1))).content().contains("Server is ready");
    assertThat(output()).doesNotContain("unexpected", "\tat ");
    Process next = start("--for", "1s");
    assertThat(next.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).as("ended in time").isTrue();
    assertThat(next.exitValue()).as(output()).isZero();
    assertNothingLeft();
  }

  private Process start(String... options) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "demo"));
    command.addAll(List.of(options));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    processes.add(process);
    return process;
  }

  private static void signal(Process process, String signal) throws Exception {
    new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
  }

  private String output() throws IOException {
    Path file = folder.resolve("output");
    return Files.exists(file) ? Files.readString(file) : "";
  }

  private long count(String row) throws IOException {
    Matcher found = Pattern.compile(Pattern.quote(row) + "\\s+([\\d,]+)").matcher(output());
    assertThat(found.find()).as("a row " + row).isTrue();
    return Long.parseLong(found.group(1).replace(",", ""));
  }

  private void assertNothingLeft() throws IOException {
    assertNoServer();
    try (var left = Files.list(folder)) {
      assertThat(left.filter(file -> file.getFileName().toString().startsWith("contrail-demo")))
          .as("folders left behind")
          .isEmpty();
    }
  }

  private void assertNoServer() throws IOException {
    Matcher port = PORT.matcher(output());
    assertThat(port.find()).as("an address in\n" + output()).isTrue();
    assertThat(servers()).as("servers left behind").isEmpty();
  }

  private Stream<ProcessHandle> servers() {
    return ProcessHandle.allProcesses()
        .filter(
            process ->
                process
                    .info()
                    .commandLine()
                    .filter(line -> line.contains(folder.toString()))
                    .filter(line -> !line.contains("contrail-watchdog"))
                    .filter(line -> line.contains("nats-server"))
                    .isPresent());
  }
}
