package dev.contrail.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a server is started with.
 *
 * @param temporary whether the folder is deleted at the end
 * @param port the client port, or empty for any free one
 * @param jetStreamConfig lines for the block that turns JetStream on
 * @param config lines for the top level
 */
record ServerSettings(
    NatsServerBinary binary,
    String name,
    Path folder,
    boolean temporary,
    OptionalInt port,
    boolean monitoring,
    boolean jetStream,
    String jetStreamConfig,
    String config,
    Duration startTimeout) {

  ServerFiles files() {
    return new ServerFiles(folder);
  }

  Optional<Path> temporaryFolder() {
    return temporary ? Optional.of(folder) : Optional.empty();
  }

  /** The text of the server's configuration file. */
  String configText(ServerPorts ports) {
    StringBuilder text = new StringBuilder();
    text.append("server_name: ").append(quoted(name)).append('\n');
    text.append("listen: \"127.0.0.1:").append(ports.client()).append("\"\n");
    ports
        .monitoring()
        .ifPresent(port -> text.append("http: \"127.0.0.1:").append(port).append("\"\n"));
    if (jetStream) {
      text.append("jetstream {\n  store_dir: ").append(quoted(folder.toString())).append('\n');
      text.append(jetStreamConfig).append("\n}\n");
    }
    return text.append(config).append('\n').toString();
  }

  private static String quoted(String value) {
    return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
