package dev.contrail.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;

/** Says what a {@link NatsServer} is started with. Everything has a default. */
public final class NatsServerBuilder {
  private Optional<NatsServerBinary> binary = Optional.empty();
  private Optional<Path> storeFolder = Optional.empty();
  private OptionalInt port = OptionalInt.empty();
  private String name = "contrail-" + Long.toHexString(ThreadLocalRandom.current().nextLong());
  private boolean monitoring;
  private boolean jetStream = true;
  private String jetStreamConfig = "";
  private String config = "";
  private Duration startTimeout = Duration.ofSeconds(30);

  NatsServerBuilder() {}

  /** The program to run; {@link NatsServerBinary#find()} by default. */
  public NatsServerBuilder binary(NatsServerBinary newBinary) {
    binary = Optional.of(newBinary);
    return this;
  }

  /**
   * Where it keeps its data, configuration, log and process id; made if missing, and kept at the
   * end. By default a temporary folder, deleted at the end.
   */
  public NatsServerBuilder storeFolder(Path folder) {
    storeFolder = Optional.of(folder);
    return this;
  }

  /** The client port on 127.0.0.1; any free one by default. */
  public NatsServerBuilder port(int newPort) {
    if (newPort < 1 || newPort > 65_535) {
      throw new IllegalArgumentException("port is " + newPort + "; a port is from 1 to 65535");
    }
    port = OptionalInt.of(newPort);
    return this;
  }

  /** Its {@code server_name}; one that no other server has by default. */
  public NatsServerBuilder name(String newName) {
    if (!newName.matches("[A-Za-z0-9_-]+")) {
      throw new IllegalArgumentException(
          "name is \"" + newName + "\"; a server's name has letters, digits, _ and - only");
    }
    name = newName;
    return this;
  }

  /** Whether it serves its monitoring pages, on a free port; not by default. */
  public NatsServerBuilder monitoring(boolean on) {
    monitoring = on;
    return this;
  }

  /** Whether JetStream is on, as it is by default. */
  public NatsServerBuilder jetStream(boolean on) {
    jetStream = on;
    return this;
  }

  /** Lines for the {@code jetstream} block, such as {@code max_file_store: 1MB}. */
  public NatsServerBuilder jetStreamConfig(String lines) {
    jetStreamConfig = lines;
    return this;
  }

  /** Lines for the top level of the configuration, such as {@code max_payload: 64KB}. */
  public NatsServerBuilder config(String lines) {
    config = lines;
    return this;
  }

  /** How long {@link #start()} waits until it serves; 30 seconds by default. */
  public NatsServerBuilder startTimeout(Duration timeout) {
    startTimeout = timeout;
    return this;
  }

  /**
   * Starts it and waits until it serves.
   *
   * @throws NatsServerException if there is no program, or it does not start; the message then has
   *     the end of its log
   */
  public NatsServer start() {
    NatsServerBinary program = binary.orElseGet(NatsServerBinary::find);
    Path folder = storeFolder.orElseGet(Folders::temporary).toAbsolutePath().normalize();
    return NatsServer.start(
        new ServerSettings(
            program,
            name,
            folder,
            storeFolder.isEmpty(),
            port,
            monitoring,
            jetStream,
            jetStreamConfig,
            config,
            startTimeout));
  }
}
