package dev.contrail.cli.drill;

import dev.contrail.cli.command.ServerInstall;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.drill.place.DrillException;
import dev.contrail.cli.drill.place.Site;
import dev.contrail.jetstream.Contrail;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The servers of a drill: its own, or the one that was named. Closing it ends its own. */
final class DrillSites implements AutoCloseable {
  private final Surroundings surroundings;
  private final Path scratch;
  private final List<NatsServer> servers = new ArrayList<>();

  private DrillSites(Surroundings surroundings, Path scratch) {
    this.surroundings = surroundings;
    this.scratch = scratch;
  }

  static DrillSites open(Surroundings surroundings) {
    try {
      return new DrillSites(surroundings, Files.createTempDirectory("contrail-drill-"));
    } catch (IOException e) {
      throw new DrillException("no temporary folder can be made: " + e.getMessage(), e);
    }
  }

  Path scratch() {
    return scratch;
  }

  /** A server of the drill's own. */
  Site own(Optional<Path> program) {
    NatsServerBinary binary =
        NatsServerBinary.findOrInstall(program, new ServerInstall(surroundings));
    NatsServer server = NatsServer.builder().binary(binary).name("contrail-drill").start();
    servers.add(server);
    return new Site(
        () -> Contrail.connect(server.url()),
        JetStreamOptions.defaultOptions(),
        server.url(),
        server.url(),
        Optional.of(server),
        List.of("--server", server.url(), "--no-context"),
        Map.of("NATS_URL", server.url()),
        scratch,
        scratch);
  }

  /** The server that was named; nothing but the drill's own streams is touched there. */
  Site named(Supplier<Session> sessions, String url, List<String> flags) {
    try (Session session = sessions.get()) {
      return new Site(
          () -> sessions.get().connection(),
          session.jetStream(),
          session.server(),
          url,
          Optional.empty(),
          flags,
          surroundings.env(),
          scratch,
          surroundings.folder());
    }
  }

  @Override
  public void close() {
    servers.forEach(NatsServer::close);
    try (Stream<Path> files = Files.walk(scratch)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
