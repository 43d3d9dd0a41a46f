package dev.contrail.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RedisServerTest {
  @Test
  void what_it_confirmed_is_there_after_it_was_killed() throws IOException {
    try (RedisServer server = RedisServer.start()) {
      assertThat(ask(server, "SET color blue")).isEqualTo("+OK");
      server.kill();
      server.startAgain();
      assertThat(ask(server, "STRLEN color")).isEqualTo(":4");
      server.stop();
      server.startAgain();
      assertThat(ask(server, "STRLEN color")).isEqualTo(":4");
    }
  }

  @Test
  void settings_go_before_the_defaults() throws IOException {
    try (RedisServer server = RedisServer.start("appendonly no")) {
      assertThat(ask(server, "SET color blue")).isEqualTo("+OK");
      server.kill();
      server.startAgain();
      assertThat(ask(server, "STRLEN color")).isEqualTo(":0");
    }
  }

  @Test
  void a_frozen_one_says_nothing_until_it_goes_on() throws IOException {
    try (RedisServer server = RedisServer.start()) {
      server.freeze();
      assertThatThrownBy(() -> ask(server, "PING")).isInstanceOf(SocketTimeoutException.class);
      server.thaw();
      assertThat(ask(server, "PING")).isEqualTo("+PONG");
    }
  }

  @Test
  void closing_ends_the_process() {
    RedisServer server = RedisServer.start();
    long pid = server.pid();
    server.close();
    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
  }

  @Test
  void a_setting_it_does_not_know_is_told_with_the_end_of_its_log() {
    assertThatThrownBy(() -> RedisServer.start("no-such-setting 1"))
        .isInstanceOf(RedisServerException.class)
        .hasMessageContaining("no-such-setting");
  }

  @Test
  void where_there_is_none_one_sentence_says_what_to_do() {
    assertThatThrownBy(() -> RedisServer.find(new FakeMachine().variable("PATH", "/bin")))
        .isInstanceOf(RedisServerException.class)
        .hasMessage(
            "redis-server was not found; install it (on Debian: apt-get install redis-server), or"
                + " set REDIS_SERVER to its path");
  }

  @Test
  void a_variable_that_names_one_goes_before_the_path() {
    FakeMachine machine =
        new FakeMachine()
            .variable("PATH", "/bin")
            .program("/bin/redis-server")
            .variable("REDIS_SERVER", "/opt/redis-server")
            .program("/opt/redis-server");
    assertThat(RedisServer.find(machine)).isEqualTo(Path.of("/opt/redis-server"));
  }

  private static String ask(RedisServer server, String command) throws IOException {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), URI.create(server.url()).getPort())) {
      socket.setSoTimeout(500);
      socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
      return new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
          .readLine();
    }
  }
}
