package dev.contrail.jetstream;

import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinaries;
import dev.contrail.server.NatsServerBinary;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** One server of each version, shared by the tests that do it no harm. */
final class Servers {
  private static final Map<NatsServerBinary, NatsServer> SHARED = new ConcurrentHashMap<>();

  private Servers() {}

  static List<NatsServerBinary> oldestAndNewest() {
    List<NatsServerBinary> all = NatsServerBinaries.available();
    return all.size() == 1 ? all : List.of(all.get(0), all.get(all.size() - 1));
  }

  static NatsServerBinary newest() {
    List<NatsServerBinary> all = NatsServerBinaries.available();
    return all.get(all.size() - 1);
  }

  /** Ends with this JVM. */
  static NatsServer shared(NatsServerBinary binary) {
    return SHARED.computeIfAbsent(
        binary,
        chosen -> {
          NatsServer server = NatsServer.builder().binary(chosen).start();
          System.out.println("tests run against nats-server " + server.version());
          Runtime.getRuntime().addShutdownHook(new Thread(server::close));
          return server;
        });
  }
}
