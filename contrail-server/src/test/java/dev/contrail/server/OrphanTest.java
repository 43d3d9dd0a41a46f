package dev.contrail.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a server whose program ends without a word. */
class OrphanTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir Path folder;

  /** A JVM that runs {@link ParentMain}. */
  private record Parent(Process jvm, long serverPid, Path storeFolder) {
    static Parent start(String... arguments) throws IOException {
      List<String> words =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  ParentMain.class.getName()));
      words.addAll(List.of(arguments));
      Process jvm =
          new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      BufferedReader output =
          new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8));
      String line = Objects.requireNonNull(output.readLine(), "the program ended at once");
      String[] pidAndFolder = line.split(" ", 2);
      return new Parent(jvm, Long.parseLong(pidAndFolder[0]), Path.of(pidAndFolder[1]));
    }

    boolean serverLives() {
      return ProcessHandle.of(serverPid)
          .flatMap(process -> process.info().arguments())
          .filter(arguments -> arguments.length > 1)
          .isPresent();
    }

    ProcessHandle watchdog() {
      return ProcessHandle.of(serverPid).orElseThrow().parent().orElseThrow();
    }

    void killJvm() {
      jvm.destroyForcibly();
    }
  }

  @Test
  void a_server_ends_when_its_program_is_killed_and_its_temporary_folder_goes() throws IOException {
    Parent parent = Parent.start();
    assertThat(parent.serverLives()).isTrue();

    parent.killJvm();

    assertThat(Waiting.until(SOON, () -> !parent.serverLives())).isTrue();
    assertThat(Waiting.until(SOON, () -> !Files.exists(parent.storeFolder())))
        .as("the folder %s is gone", parent.storeFolder())
        .isTrue();
  }

  @Test
  void a_frozen_server_ends_too_when_its_program_is_killed() throws IOException {
    Parent parent = Parent.start();
    Command.of("sh", "-c", "kill -s STOP " + parent.serverPid()).run();

    parent.killJvm();

    assertThat(Waiting.until(SOON, () -> !parent.serverLives())).isTrue();
  }

  @Test
  void a_server_ends_when_its_program_just_exits_and_a_folder_that_was_given_stays()
      throws IOException {
    Parent parent = Parent.start(folder.toString());

    parent.jvm().getOutputStream().write('\n');
    parent.jvm().getOutputStream().close();

    assertThat(Waiting.until(SOON, () -> !parent.serverLives())).isTrue();
    assertThat(folder.resolve("jetstream")).isDirectory();
  }

  @Test
  void a_server_left_over_is_found_and_ended_before_the_next_start() throws IOException {
    Parent parent = Parent.start(folder.toString());
    // Without its watchdog nobody ends it.
    parent
        .watchdog()
        .children()
        .filter(child -> child.pid() != parent.serverPid())
        .toList()
        .forEach(ProcessHandle::destroyForcibly);
    parent.watchdog().destroyForcibly();
    parent.killJvm();
    assertThat(Waiting.until(SOON, () -> !parent.jvm().isAlive())).isTrue();

    assertThat(LeftOverServer.in(folder).map(LeftOverServer::pid)).contains(parent.serverPid());

    try (NatsServer next = NatsServer.builder().storeFolder(folder).start()) {
      assertThat(parent.serverLives()).isFalse();
      assertThat(next.pid()).isNotEqualTo(parent.serverPid());
    }
  }
}
