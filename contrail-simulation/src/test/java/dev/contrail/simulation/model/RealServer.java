package dev.contrail.simulation.model;

import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinaries;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;

/** A nats-server that runs scripts. */
final class RealServer implements AutoCloseable {
  final ModelVersion version;
  private final NatsServer server;
  private final Connection connection;
  private final Dispatcher dispatcher;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final AtomicLong runs = new AtomicLong();

  private RealServer(NatsServer server, ModelVersion version)
      throws IOException, InterruptedException {
    this.version = version;
    this.server = server;
    this.connection =
        Nats.connect(Options.builder().server(server.url()).maxMessagesInOutgoingQueue(0).build());
    this.dispatcher = connection.createDispatcher();
  }

  static RealServer start(NatsServerBinary binary) throws IOException, InterruptedException {
    return new RealServer(
        NatsServer.builder().binary(binary).start(), version(binary).orElseThrow());
  }

  /** Those of the servers there are that the model follows. */
  static List<NatsServerBinary> binaries() {
    return NatsServerBinaries.available().stream()
        .filter(binary -> version(binary).isPresent())
        .toList();
  }

  private static Optional<ModelVersion> version(NatsServerBinary binary) {
    String version = binary.version().toString();
    if (version.startsWith("2.9.")) {
      return Optional.of(ModelVersion.V2_9_10);
    }
    return version.startsWith("2.15.") ? Optional.of(ModelVersion.V2_15_1) : Optional.empty();
  }

  CompletableFuture<ServerSide.Transcript> run(Script script) {
    String prefix = "s" + runs.incrementAndGet() + "z";
    return ServerSide.run(connection, dispatcher, timer, script, prefix, version);
  }

  @Override
  public String toString() {
    return "nats-server " + server.version();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    try {
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      server.close();
    }
  }
}
