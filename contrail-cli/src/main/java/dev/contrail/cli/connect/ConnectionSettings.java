package dev.contrail.cli.connect;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Everything needed to connect, resolved.
 *
 * @param servers URLs, at least one
 * @param context the saved context that was used
 * @param timeout how long to wait for the server, at connecting and for each answer
 */
public record ConnectionSettings(
    List<String> servers,
    Optional<String> context,
    Credentials credentials,
    TlsSettings tls,
    JetStreamAccess jetStream,
    Optional<String> inboxPrefix,
    Optional<HostAndPort> socksProxy,
    Duration timeout) {
  public static final String DEFAULT_SERVER = "nats://127.0.0.1:4222";
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

  /** Where JetStream's API and its advisories are found, if not at the usual subjects. */
  public record JetStreamAccess(
      Optional<String> domain, Optional<String> apiPrefix, Optional<String> eventPrefix) {}

  public record HostAndPort(String host, int port) {}

  public ConnectionSettings {
    servers = List.copyOf(servers);
  }

  /** The servers for people to read, without passwords. */
  public String shownServers() {
    return String.join(", ", servers.stream().map(ServerUrls::masked).toList());
  }

  @Override
  public String toString() {
    return "ConnectionSettings[" + shownServers() + ", " + credentials + "]";
  }
}
