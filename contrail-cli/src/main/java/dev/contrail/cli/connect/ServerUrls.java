package dev.contrail.cli.connect;

import dev.contrail.cli.command.BadValueException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Server URLs as the nats tool writes them: separated by commas, the scheme may be missing. */
final class ServerUrls {
  private static final Set<String> SCHEMES = Set.of("nats", "tls", "ws", "wss");

  private ServerUrls() {}

  static List<String> parse(String list) {
    List<String> urls = new ArrayList<>();
    for (String entry : list.split(",", -1)) {
      if (!entry.isBlank()) {
        urls.add(checked(entry.strip()));
      }
    }
    if (urls.isEmpty()) {
      throw new BadValueException("'" + list + "' names no server" + ACCEPTED);
    }
    return urls;
  }

  private static final String ACCEPTED =
      "; accepted are URLs like nats://127.0.0.1:4222, several separated by commas";

  private static String checked(String entry) {
    String url = entry.contains("://") ? entry : "nats://" + entry;
    try {
      URI uri = new URI(url);
      boolean known =
          uri.getScheme() != null && SCHEMES.contains(uri.getScheme().toLowerCase(Locale.ROOT));
      if (known && uri.getHost() != null && uri.getPort() <= 65_535) {
        return url;
      }
    } catch (URISyntaxException malformed) {
      throw new BadValueException("'" + masked(entry) + "' is no server URL" + ACCEPTED);
    }
    throw new BadValueException("'" + masked(entry) + "' is no server URL" + ACCEPTED);
  }

  /** The URL with its password or token covered. */
  static String masked(String url) {
    int start = url.indexOf("://") < 0 ? 0 : url.indexOf("://") + 3;
    int at = url.lastIndexOf('@');
    if (at < start) {
      return url;
    }
    int colon = url.indexOf(':', start);
    String user = colon >= 0 && colon < at ? url.substring(start, colon + 1) : "";
    return url.substring(0, start) + user + "****" + url.substring(at);
  }
}
