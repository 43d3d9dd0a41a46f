package dev.contrail.cli.connect;

import dev.contrail.cli.command.Surroundings;
import dev.contrail.jetstream.HeaderGuardDataPort;
import io.nats.client.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Gives commands the connection that flags, variables, contrail.yaml and contexts describe. */
public final class Connections {
  private final Surroundings surroundings;
  private final ConnectionOptions options;
  private final Map<String, String> file;
  private final String program;

  /**
   * Connections for one run of the program.
   *
   * @param file the top-level values of contrail.yaml
   * @param program the program's name and version, for the server's monitoring
   */
  public Connections(
      Surroundings surroundings,
      ConnectionOptions options,
      Map<String, String> file,
      String program) {
    this.surroundings = surroundings;
    this.options = options;
    this.file = Map.copyOf(file);
    this.program = program;
  }

  /** What would be connected to. */
  public ConnectionSettings settings() {
    return ConnectionResolver.resolve(sources());
  }

  /**
   * Whether a flag, a variable or contrail.yaml names the server; a saved context that is merely
   * the selected one does not.
   */
  public boolean nameServer() {
    ConnectionSources sources = sources();
    return Stream.of(ConnectionSetting.SERVER, ConnectionSetting.CONTEXT)
        .flatMap(
            setting -> Arrays.stream(Layer.values()).map(layer -> layer.find(setting, sources)))
        .anyMatch(Optional::isPresent);
  }

  private ConnectionSources sources() {
    return new ConnectionSources(
        options.given(),
        surroundings.env(),
        file,
        NatsContexts.of(surroundings.env(), surroundings.home()),
        surroundings.home());
  }

  /**
   * Connects to a server with JetStream, or fails with the sentence why not.
   *
   * @param dataPort what reads and writes
   */
  public Connection connect(
      ConnectionSettings settings, Class<? extends HeaderGuardDataPort> dataPort) {
    return new Connector(settings, program, dataPort).connect();
  }

  /** The flags that say the same to another process of this program. */
  public List<String> flags() {
    List<String> flags = new ArrayList<>();
    options
        .given()
        .forEach(
            (setting, value) -> {
              flags.add("--" + setting.flag());
              if (!setting.isSwitch()) {
                flags.add(value);
              }
            });
    return flags;
  }
}
