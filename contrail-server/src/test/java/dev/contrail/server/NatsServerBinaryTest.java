package dev.contrail.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NatsServerBinaryTest {
  @TempDir Path folder;

  private Path script(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(folder.resolve(name).getParent());
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** A machine whose PATH is the test's folder alone, with real files in it. */
  private Machine machine() {
    return new Machine() {
      @Override
      public Optional<String> variable(String name) {
        return name.equals("PATH") ? Optional.of(folder.toString()) : Optional.empty();
      }

      @Override
      public boolean isProgram(Path file) {
        return file.startsWith(folder) && Files.isExecutable(file);
      }

      @Override
      public boolean isRoot() {
        return true;
      }

      @Override
      public boolean canSudo() {
        return false;
      }
    };
  }

  @Test
  void the_real_program_says_its_version() {
    assertThat(NatsServerBinary.find().version().isAtLeast(2, 9)).isTrue();
  }

  @Test
  void another_program_is_refused_with_what_it_answered() throws IOException {
    Path other = script("other", "echo 'other 1.2.3'");

    assertThatThrownBy(() -> NatsServerBinary.at(other))
        .isInstanceOf(NatsServerException.class)
        .hasMessage(
            other
                + " is no nats-server that runs here: to --version it answered"
                + " \"other 1.2.3\" (exit code 0)");
  }

  @Test
  void a_file_that_is_no_program_at_all_is_refused() throws IOException {
    Path garbage = script("garbage", "");
    Files.write(garbage, new byte[] {0x7f, 'E', 'L', 'F', 1, 2, 3});

    assertThatThrownBy(() -> NatsServerBinary.at(garbage))
        .isInstanceOf(NatsServerException.class)
        .hasMessageStartingWith(garbage + " is no nats-server that runs here");
  }

  @Test
  void nothing_is_installed_or_asked_when_it_is_there() throws IOException {
    Path program = script("nats-server", "echo 'nats-server: v2.9.1'");

    NatsServerBinary found =
        NatsServerBinary.findOrInstall(
            machine(),
            Optional.empty(),
            plan -> {
              throw new AssertionError("asked for " + plan);
            });

    assertThat(found).isEqualTo(new NatsServerBinary(program, new ServerVersion(2, 9, 1)));
  }

  @Test
  void it_is_installed_and_then_found() throws IOException {
    Path made = script("made", "echo 'nats-server: v2.9.2'");
    Path program = folder.resolve("nats-server");

    NatsServerBinary found =
        NatsServerBinary.install(
            machine(), new InstallPlan("", List.of("mv", made.toString(), program.toString())));

    assertThat(found).isEqualTo(new NatsServerBinary(program, new ServerVersion(2, 9, 2)));
  }

  @Test
  void who_is_asked_learns_what_would_be_done() throws IOException {
    script("brew", "exit 0");
    List<String> asked = new ArrayList<>();

    assertThatThrownBy(
            () ->
                NatsServerBinary.findOrInstall(
                    machine(),
                    Optional.empty(),
                    plan -> {
                      asked.add(plan.description());
                      return false;
                    }))
        .isInstanceOf(NatsServerException.class);

    assertThat(asked).containsExactly("installs the package nats-server with brew");
  }

  @Test
  void a_refusal_leaves_one_sentence_that_says_what_to_do() throws IOException {
    script("brew", "exit 0");

    assertThatThrownBy(
            () -> NatsServerBinary.findOrInstall(machine(), Optional.empty(), plan -> false))
        .isInstanceOf(NatsServerException.class)
        .hasMessage(
            "nats-server was not found; install it (on Debian: apt-get install nats-server)"
                + " or set NATS_SERVER to the path of the program");
  }

  @Test
  void a_failed_installation_says_why_in_the_same_sentence() throws IOException {
    script("apt-get", "echo 'E: Unable to locate package nats-server'; exit 100");

    assertThatThrownBy(
            () ->
                NatsServerBinary.install(
                    machine(),
                    new InstallPlan("", List.of(folder.resolve("apt-get").toString(), "install"))))
        .isInstanceOf(NatsServerException.class)
        .hasMessageStartingWith(
            "nats-server was not found, and installing it failed:"
                + " E: Unable to locate package nats-server; install it");
  }

  @Test
  void an_installation_without_effect_is_not_taken_for_success() {
    assertThatThrownBy(
            () -> NatsServerBinary.install(machine(), new InstallPlan("", List.of("true"))))
        .isInstanceOf(NatsServerException.class)
        .hasMessageStartingWith("nats-server was not found, also after its package was installed");
  }
}
