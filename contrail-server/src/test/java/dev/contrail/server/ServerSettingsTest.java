package dev.contrail.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ServerSettingsTest {
  private static String config(Path folder, boolean jetStream, OptionalInt monitoring) {
    return new ServerSettings(
            new NatsServerBinary(Path.of("/x"), new ServerVersion(2, 9, 10)),
            "orders",
            folder,
            false,
            OptionalInt.empty(),
            monitoring.isPresent(),
            jetStream,
            "max_file_store: 1MB",
            "max_payload: 64KB",
            Duration.ofSeconds(1))
        .configText(new ServerPorts(24222, monitoring));
  }

  @Test
  void the_configuration_names_server_port_folder_and_all_extra_lines() {
    assertThat(config(Path.of("/data"), true, OptionalInt.of(28222)))
        .isEqualTo(
            """
            server_name: "orders"
            listen: "127.0.0.1:24222"
            http: "127.0.0.1:28222"
            jetstream {
              store_dir: "/data"
            max_file_store: 1MB
            }
            max_payload: 64KB
            """);
  }

  @Test
  void a_server_without_jetstream_has_no_such_block() {
    assertThat(config(Path.of("/data"), false, OptionalInt.empty()))
        .doesNotContain("jetstream", "max_file_store", "http");
  }

  @Test
  void a_folder_with_quotes_and_backslashes_is_written_so_that_the_server_reads_it() {
    assertThat(config(Path.of("/a \"b\\c"), true, OptionalInt.empty()))
        .contains("store_dir: \"/a \\\"b\\\\c\"");
  }
}
