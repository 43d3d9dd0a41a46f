package dev.contrail.server;

import java.util.List;

/**
 * What would be run to get a nats-server.
 *
 * @param description what it does, for the person who is asked, such as {@code installs the package
 *     nats-server with apt-get}
 * @param command the words of the command
 */
public record InstallPlan(String description, List<String> command) {
  public InstallPlan {
    command = List.copyOf(command);
  }
}
