package dev.contrail.cli.drill.place;

import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The server that a drill uses, and how processes get there.
 *
 * @param shown the server for people to read, without passwords
 * @param url for workers that are not Contrail's, with whatever is needed to get in
 * @param server the process itself, where the drill may kill it
 * @param flags what tells a process of this program how to connect
 * @param variables the environment of such a process
 * @param scratch where files of the drill are kept while it runs
 * @param folder where processes are started
 */
public record Site(
    Supplier<Connection> connections,
    JetStreamOptions jetStream,
    String shown,
    String url,
    Optional<NatsServer> server,
    List<String> flags,
    Map<String, String> variables,
    Path scratch,
    Path folder) {
  public Site {
    flags = List.copyOf(flags);
    variables = Map.copyOf(variables);
  }

  Connection connect() {
    return connections.get();
  }
}
