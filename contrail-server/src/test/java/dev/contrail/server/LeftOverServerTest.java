package dev.contrail.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftOverServerTest {
  @TempDir Path folder;

  @Test
  void a_folder_that_no_server_used_has_none() {
    assertThat(LeftOverServer.in(folder)).isEmpty();
    assertThat(LeftOverServer.in(folder.resolve("none"))).isEmpty();
  }

  @Test
  void another_process_with_the_recorded_id_is_left_alone() throws IOException {
    Files.writeString(folder.resolve("server.pid"), ProcessHandle.current().pid() + "\n");

    assertThat(LeftOverServer.in(folder)).isEmpty();
  }

  @Test
  void a_server_of_another_folder_with_the_recorded_id_is_left_alone() throws IOException {
    try (NatsServer other = NatsServer.start()) {
      Files.writeString(folder.resolve("server.pid"), other.pid() + "\n");

      assertThat(LeftOverServer.in(folder)).isEmpty();
    }
  }

  @Test
  void garbage_in_the_file_of_the_id_is_no_server() throws IOException {
    Files.writeString(folder.resolve("server.pid"), "many\n");

    assertThat(LeftOverServer.in(folder)).isEmpty();
  }

  @Test
  void a_server_in_use_is_not_left_over() {
    try (NatsServer server = NatsServer.builder().storeFolder(folder).start()) {
      assertThatThrownBy(() -> LeftOverServer.in(folder))
          .isInstanceOf(NatsServerException.class)
          .hasMessageContaining("is in use");
      assertThat(server.isRunning()).isTrue();
    }
  }
}
