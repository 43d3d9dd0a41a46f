package dev.contrail.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Says what a {@link NatsCluster} is started with. Everything has a default. */
public final class NatsClusterBuilder {
  private static final int NODES = 3;
  private static final int PORT_TRIES = 5;

  private Optional<NatsServerBinary> binary = Optional.empty();
  private Optional<Path> storeFolder = Optional.empty();
  private String jetStreamConfig = "";
  private String config = "";
  private Duration startTimeout = Duration.ofSeconds(60);

  NatsClusterBuilder() {}

  /** The program to run; {@link NatsServerBinary#find()} by default. */
  public NatsClusterBuilder binary(NatsServerBinary newBinary) {
    binary = Optional.of(newBinary);
    return this;
  }

  /** A folder in which each node has one of its own, kept at the end; by default temporary ones. */
  public NatsClusterBuilder storeFolder(Path folder) {
    storeFolder = Optional.of(folder);
    return this;
  }

  /** Lines for the {@code jetstream} block of every node. */
  public NatsClusterBuilder jetStreamConfig(String lines) {
    jetStreamConfig = lines;
    return this;
  }

  /** Lines for the top level of the configuration of every node; no {@code cluster} block. */
  public NatsClusterBuilder config(String lines) {
    config = lines;
    return this;
  }

  /** How long {@link #start()} waits until it is ready; 60 seconds by default. */
  public NatsClusterBuilder startTimeout(Duration timeout) {
    startTimeout = timeout;
    return this;
  }

  /**
   * Starts it and waits until it can place streams on all its nodes.
   *
   * @throws NatsServerException if it does not start; the message then has the end of a log
   */
  public NatsCluster start() {
    for (int i = 1; ; i++) {
      try {
        return startOnce();
      } catch (PortTakenException e) {
        if (i == PORT_TRIES) {
          throw e;
        }
      }
    }
  }

  private NatsCluster startOnce() {
    NatsServerBinary program = binary.orElseGet(NatsServerBinary::find);
    List<Integer> routes = IntStream.range(0, NODES).mapToObj(i -> Ports.free()).toList();
    List<NatsServer> nodes = new ArrayList<>();
    try {
      for (int i = 0; i < NODES; i++) {
        nodes.add(node(program, i, routes));
      }
      NatsCluster cluster = new NatsCluster(nodes, startTimeout);
      cluster.awaitReady();
      return cluster;
    } catch (RuntimeException e) {
      NatsCluster.closeAll(nodes);
      throw e;
    }
  }

  private NatsServer node(NatsServerBinary program, int index, List<Integer> routes) {
    String name = "n" + (index + 1);
    NatsServerBuilder node =
        NatsServer.builder()
            .binary(program)
            .name(name)
            .monitoring(true)
            .jetStreamConfig(jetStreamConfig)
            .config(clusterConfig(index, routes) + config)
            .startTimeout(startTimeout);
    storeFolder.ifPresent(folder -> node.storeFolder(folder.resolve(name)));
    return node.start();
  }

  private static String clusterConfig(int index, List<Integer> routes) {
    String urls =
        routes.stream()
            .map(port -> "\"nats-route://127.0.0.1:" + port + "\"")
            .collect(Collectors.joining(", "));
    return """
        cluster {
          name: contrail
          listen: "127.0.0.1:%d"
          routes: [%s]
        }
        """
        .formatted(routes.get(index), urls);
  }
}
