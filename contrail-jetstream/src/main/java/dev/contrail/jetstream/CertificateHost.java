package dev.contrail.jetstream;

import io.nats.client.support.NatsUri;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/** Decides for which host a server's certificate must be. */
final class CertificateHost {
  private CertificateHost() {}

  /**
   * The host that was asked for. An address that is not configured was discovered, or is what
   * became of a name: certificates seldom carry it, so it stands for a configured name, if there is
   * one.
   *
   * @param server which is being tried
   * @param leadsThere whether a configured name leads to that server
   */
  static String of(NatsUri server, Collection<NatsUri> configured, Predicate<String> leadsThere) {
    if (!server.hostIsIpAddress() || isAmong(configured, server)) {
      return plain(server.getHost());
    }
    List<NatsUri> named = configured.stream().filter(uri -> !uri.hostIsIpAddress()).toList();
    return named.stream()
        .filter(uri -> uri.getPort() == server.getPort() && leadsThere.test(uri.getHost()))
        .findFirst()
        .or(() -> named.stream().findFirst())
        .map(uri -> plain(uri.getHost()))
        .orElse(plain(server.getHost()));
  }

  private static boolean isAmong(Collection<NatsUri> configured, NatsUri server) {
    return configured.stream().anyMatch(uri -> uri.getHost().equalsIgnoreCase(server.getHost()));
  }

  // The brackets of IPv6 and the dot that ends a full name are no part of what a certificate says.
  private static String plain(String host) {
    if (host.startsWith("[")) {
      return host.substring(1, host.length() - 1);
    }
    return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
  }
}
