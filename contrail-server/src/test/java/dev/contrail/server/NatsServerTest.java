package dev.contrail.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NatsServerTest {
  @TempDir Path folder;

  private static boolean exists(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }

  @ParameterizedTest
  @MethodSource("dev.contrail.server.NatsServerBinaries#available")
  void it_serves_jetstream_as_soon_as_it_is_started(NatsServerBinary binary) {
    try (NatsServer server = NatsServer.builder().binary(binary).start()) {
      assertThat(RawClient.createStream(server, "ORDERS", 1)).contains("\"name\":\"ORDERS\"");
      assertThat(server.version()).isEqualTo(binary.version());
    }
  }

  @Test
  void the_process_id_is_the_servers_own() {
    try (NatsServer server = NatsServer.start()) {
      assertThat(ProcessHandle.of(server.pid()).orElseThrow().info().command())
          .hasValueSatisfying(command -> assertThat(command).endsWith("nats-server"));
    }
  }

  @Test
  void closing_leaves_neither_process_nor_folder() {
    NatsServer server = NatsServer.start();
    long pid = server.pid();
    assertThat(server.storeFolder()).isDirectory();

    server.close();

    assertThat(exists(pid)).isFalse();
    assertThat(server.storeFolder()).doesNotExist();
    server.close();
  }

  @Test
  void a_folder_that_was_given_is_kept() {
    NatsServer.builder().storeFolder(folder.resolve("new/store")).start().close();

    assertThat(folder.resolve("new/store/jetstream")).isDirectory();
  }

  @ParameterizedTest
  @MethodSource("dev.contrail.server.NatsServerBinaries#available")
  void killed_and_started_again_it_has_the_same_port_and_data(NatsServerBinary binary) {
    try (NatsServer server = NatsServer.builder().binary(binary).start()) {
      RawClient.createStream(server, "ORDERS", 1);
      int port = server.port();
      long pid = server.pid();

      server.kill();
      assertThat(exists(pid)).isFalse();
      assertThat(server.isRunning()).isFalse();
      server.startAgain();

      assertThat(server.port()).isEqualTo(port);
      assertThat(server.pid()).isNotEqualTo(pid);
      assertThat(RawClient.request(server, "$JS.API.STREAM.NAMES", ""))
          .contains("\"streams\":[\"ORDERS\"]");
    }
  }

  @Test
  void a_restart_is_graceful_and_keeps_the_data() throws IOException {
    try (NatsServer server = NatsServer.start()) {
      RawClient.createStream(server, "ORDERS", 1);

      server.restart();

      assertThat(Files.readString(server.logFile())).contains("Server Exiting");
      assertThat(RawClient.request(server, "$JS.API.STREAM.NAMES", "")).contains("ORDERS");
    }
  }

  @Test
  void a_running_server_is_not_started_twice() {
    try (NatsServer server = NatsServer.start()) {
      assertThatThrownBy(server::startAgain)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is running");
    }
  }

  @Test
  void a_frozen_server_says_nothing_until_it_is_thawed() {
    try (NatsServer server = NatsServer.start()) {
      Duration limit = Duration.ofMillis(300);
      server.freeze();
      assertThat(Greeting.from(server.port(), limit)).isEmpty();

      server.thaw();
      assertThat(Greeting.from(server.port(), Duration.ofSeconds(5)))
          .contains(new Greeting(server.name(), true));
    }
  }

  @Test
  void a_frozen_server_can_be_stopped_and_killed() {
    try (NatsServer server = NatsServer.start()) {
      server.freeze();
      server.stop();
      assertThat(server.isRunning()).isFalse();

      server.startAgain();
      server.freeze();
      server.kill();
      assertThat(server.isRunning()).isFalse();
    }
  }

  @Test
  void extra_configuration_reaches_the_server() {
    try (NatsServer server =
        NatsServer.builder()
            .config("max_payload: 1KB\nauthorization { user: ann, password: secret }")
            .jetStreamConfig("max_file_store: 2MB")
            .start()) {
      assertThat(RawClient.request(server, "$JS.API.INFO", "")).contains("Authorization Violation");
      String ann = "{\"verbose\":false,\"user\":\"ann\",\"pass\":\"secret\"}";
      assertThat(RawClient.request(server, ann, "$JS.API.INFO", "x".repeat(1100)))
          .contains("Maximum Payload Violation");
    }
  }

  @Test
  void without_jetstream_it_is_ready_all_the_same() {
    try (NatsServer server = NatsServer.builder().jetStream(false).start()) {
      assertThat(Greeting.from(server.port(), Duration.ofSeconds(5)))
          .contains(new Greeting(server.name(), false));
    }
  }

  @Test
  void a_wrong_configuration_gives_the_end_of_the_log_and_leaves_nothing() {
    assertThatThrownBy(
            () -> NatsServer.builder().storeFolder(folder).config("no_such_key: 1").start())
        .isInstanceOf(NatsServerException.class)
        .hasMessageContaining("ended at its start; its log ends:")
        .hasMessageContaining("no_such_key");

    // The folder is free again, and the next failure does not quote this one's log.
    assertThatThrownBy(
            () -> NatsServer.builder().storeFolder(folder).config("another_key: 1").start())
        .hasMessageContaining("another_key")
        .message()
        .doesNotContain("no_such_key");
    assertThat(LeftOverServer.in(folder)).isEmpty();
  }

  @Test
  void a_server_that_is_never_ready_is_ended_and_reported() {
    // The last of two settings counts, so JetStream is awaited in vain.
    NatsServerBuilder never =
        NatsServer.builder()
            .storeFolder(folder)
            .startTimeout(Duration.ofMillis(500))
            .config("jetstream: false");

    assertThatThrownBy(never::start)
        .isInstanceOf(NatsServerException.class)
        .hasMessageContaining("was not ready after");
    assertThat(LeftOverServer.in(folder)).isEmpty();
  }

  @Test
  void a_port_that_was_asked_for_and_is_taken_is_an_error() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      NatsServerBuilder builder = NatsServer.builder().port(taken.getLocalPort());

      assertThatThrownBy(builder::start)
          .isInstanceOf(PortTakenException.class)
          .hasMessageContaining("address already in use");
    }
  }

  @Test
  void another_server_on_the_port_is_not_taken_for_ours() {
    try (NatsServer first = NatsServer.start()) {
      NatsServerBuilder second = NatsServer.builder().port(first.port());

      assertThatThrownBy(second::start).isInstanceOf(PortTakenException.class);
    }
  }

  @Test
  void a_folder_in_use_is_refused() {
    try (NatsServer server = NatsServer.builder().storeFolder(folder).start()) {
      assertThatThrownBy(() -> NatsServer.builder().storeFolder(folder).start())
          .isInstanceOf(NatsServerException.class)
          .hasMessage(
              "the folder %s is in use by another nats-server that Contrail runs"
                  .formatted(folder));
      assertThat(server.isRunning()).isTrue();
    }
  }

  @Test
  void a_connection_survives_a_freeze() throws IOException {
    try (NatsServer server = NatsServer.start();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      server.freeze();
      server.thaw();
      socket.setSoTimeout(5_000);
      assertThat((char) socket.getInputStream().read()).isEqualTo('I');
    }
  }

  @Test
  void wrong_ports_and_names_are_refused_in_one_sentence() {
    assertThatThrownBy(() -> NatsServer.builder().port(70_000))
        .hasMessage("port is 70000; a port is from 1 to 65535");
    assertThatThrownBy(() -> NatsServer.builder().name("a b"))
        .hasMessage("name is \"a b\"; a server's name has letters, digits, _ and - only");
  }
}
