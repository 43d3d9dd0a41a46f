package dev.contrail.cli.connect;

import java.nio.file.Path;
import java.util.Map;

/**
 * All places where something about the connection may be said.
 *
 * @param flags from the command line
 * @param env the environment
 * @param file the top-level values of contrail.yaml
 * @param contexts the saved contexts of the nats tool
 * @param home the user's home folder
 */
public record ConnectionSources(
    Map<ConnectionSetting, String> flags,
    Map<String, String> env,
    Map<String, String> file,
    NatsContexts contexts,
    Path home) {
  public ConnectionSources {
    flags = Map.copyOf(flags);
    env = Map.copyOf(env);
    file = Map.copyOf(file);
  }
}
