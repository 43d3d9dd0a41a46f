package dev.contrail.server;

import java.util.OptionalInt;

/** Where a server listens. */
record ServerPorts(int client, OptionalInt monitoring) {
  static ServerPorts choose(ServerSettings settings) {
    return new ServerPorts(
        settings.port().orElseGet(Ports::free),
        settings.monitoring() ? OptionalInt.of(Ports.free()) : OptionalInt.empty());
  }
}
