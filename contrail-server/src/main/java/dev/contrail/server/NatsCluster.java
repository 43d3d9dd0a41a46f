package dev.contrail.server;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Three nats-servers on 127.0.0.1 that form one JetStream cluster, named {@code n1} to {@code n3}.
 * Each may be killed, frozen and started again by itself.
 */
public final class NatsCluster implements AutoCloseable {
  private final List<NatsServer> nodes;
  private final Duration readyTimeout;
  private final HttpClient http = HttpClient.newHttpClient();

  NatsCluster(List<NatsServer> nodes, Duration readyTimeout) {
    this.nodes = List.copyOf(nodes);
    this.readyTimeout = readyTimeout;
  }

  /** For a cluster that is not the default one. */
  public static NatsClusterBuilder builder() {
    return new NatsClusterBuilder();
  }

  /** Starts one and waits until it can place streams on all its nodes. */
  public static NatsCluster start() {
    return builder().start();
  }

  public List<NatsServer> nodes() {
    return nodes;
  }

  /** The node of that number, from 1. */
  public NatsServer node(int number) {
    return nodes.get(number - 1);
  }

  /** The node of that name, such as the one that a stream's information names as leader. */
  public NatsServer node(String name) {
    return nodes.stream()
        .filter(node -> node.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no node " + name + "; there are n1, n2 and n3"));
  }

  /** The URLs of all nodes, separated by commas. */
  public String urls() {
    return nodes.stream().map(NatsServer::url).collect(Collectors.joining(","));
  }

  /**
   * Waits until the nodes that run are healthy and agree on a leader, and that leader sees all of
   * them up to date.
   *
   * @throws NatsServerException if they do not within the limit for the start
   */
  public void awaitReady() {
    if (!Waiting.until(readyTimeout, this::isReady)) {
      throw new NatsServerException(
          "the cluster was not ready after "
              + readyTimeout.toSeconds()
              + " s; the log of n1 ends:\n"
              + LogTail.since(node(1).logFile(), 0));
    }
  }

  /** The node that leads the group that places streams and consumers; empty while there is none. */
  public Optional<NatsServer> metaLeader() {
    return running().stream()
        .flatMap(node -> MetaGroup.of(http, uri(node)).stream())
        .flatMap(group -> group.leader().stream())
        .findFirst()
        .map(this::node);
  }

  private boolean isReady() {
    List<NatsServer> running = running();
    Optional<NatsServer> leader = metaLeader();
    return leader.isPresent()
        && running.stream().allMatch(node -> follows(node, leader.get()))
        && MetaGroup.of(http, uri(leader.get()))
            .filter(group -> group.current() >= running.size() - 1)
            .isPresent();
  }

  private boolean follows(NatsServer node, NatsServer leader) {
    return MetaGroup.isHealthy(http, uri(node))
        && MetaGroup.of(http, uri(node))
            .filter(group -> group.size() == nodes.size())
            .flatMap(MetaGroup::leader)
            .filter(leader.name()::equals)
            .isPresent();
  }

  private List<NatsServer> running() {
    return nodes.stream().filter(NatsServer::isRunning).toList();
  }

  private static URI uri(NatsServer node) {
    return node.monitoringUri()
        .orElseThrow(() -> new IllegalStateException("a node of a cluster has monitoring on"));
  }

  /** Ends all nodes and deletes their temporary folders. */
  @Override
  public void close() {
    closeAll(nodes);
  }

  static void closeAll(List<NatsServer> servers) {
    Optional<RuntimeException> failure = Optional.empty();
    for (NatsServer server : servers) {
      try {
        server.close();
      } catch (RuntimeException e) {
        failure.ifPresent(e::addSuppressed);
        failure = Optional.of(e);
      }
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
  }
}
