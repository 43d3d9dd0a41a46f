package dev.contrail.jetstream;

import java.net.URI;
import java.util.Collection;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Addresses of NATS servers, fit to be shown. */
final class ServerUrls {
  private static final Pattern CREDENTIALS = Pattern.compile("[^/@,\\s]+@");

  private ServerUrls() {}

  static String withoutCredentials(String url) {
    return CREDENTIALS.matcher(url).replaceAll("");
  }

  static String shown(Collection<URI> servers) {
    return servers.stream()
        .map(server -> withoutCredentials(server.toString()))
        .collect(Collectors.joining(", "));
  }
}
