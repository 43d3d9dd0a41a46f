package dev.contrail.cli.connect;

import dev.contrail.cli.command.HelpGroup;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The flags of the nats tool, accepted before and after the name of any command. */
@HelpGroup(heading = "Connection, as with the nats tool", order = 80)
public final class ConnectionOptions {
  @Option(
      names = {"-s", "--server"},
      paramLabel = "URL",
      scope = ScopeType.INHERIT,
      description = "NATS server URLs, separated by commas (NATS_URL)")
  @Nullable String server;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description = "saved context of the nats tool (NATS_CONTEXT)")
  @Nullable String context;

  @Option(
      names = "--no-context",
      scope = ScopeType.INHERIT,
      description = "leave out the selected context")
  boolean noContext;

  @Option(
      names = "--creds",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "user credentials (NATS_CREDS)")
  @Nullable String creds;

  @Option(
      names = "--user",
      paramLabel = "USER",
      scope = ScopeType.INHERIT,
      description = "user, or without a password: token (NATS_USER)")
  @Nullable String user;

  @Option(
      names = "--password",
      paramLabel = "PASSWORD",
      scope = ScopeType.INHERIT,
      description = "password (NATS_PASSWORD)")
  @Nullable String password;

  @Option(
      names = "--nkey",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "user nkey (NATS_NKEY)")
  @Nullable String nkey;

  @Option(
      names = "--tlscert",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "TLS certificate, PEM (NATS_CERT)")
  @Nullable String tlsCert;

  @Option(
      names = "--tlskey",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "TLS private key, PEM (NATS_KEY)")
  @Nullable String tlsKey;

  @Option(
      names = "--tlsca",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "TLS certificate authorities, PEM (NATS_CA)")
  @Nullable String tlsCa;

  @Option(
      names = "--tlsfirst",
      scope = ScopeType.INHERIT,
      description = "TLS handshake before the server's greeting")
  boolean tlsFirst;

  @Option(
      names = "--socks-proxy",
      paramLabel = "PROXY",
      scope = ScopeType.INHERIT,
      description = "SOCKS5 proxy to connect through (NATS_SOCKS_PROXY)")
  @Nullable String socksProxy;

  @Option(
      names = "--js-domain",
      paramLabel = "DOMAIN",
      scope = ScopeType.INHERIT,
      description = "JetStream domain")
  @Nullable String jsDomain;

  @Option(
      names = "--js-api-prefix",
      paramLabel = "PREFIX",
      scope = ScopeType.INHERIT,
      description = "subject prefix of the JetStream API")
  @Nullable String jsApiPrefix;

  @Option(
      names = "--js-event-prefix",
      paramLabel = "PREFIX",
      scope = ScopeType.INHERIT,
      description = "subject prefix of JetStream advisories")
  @Nullable String jsEventPrefix;

  @Option(
      names = "--inbox-prefix",
      paramLabel = "PREFIX",
      scope = ScopeType.INHERIT,
      description = "subject prefix of inboxes")
  @Nullable String inboxPrefix;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      scope = ScopeType.INHERIT,
      description = "how long to wait for the server (5s; NATS_TIMEOUT)")
  @Nullable String timeout;

  /** What was given on the command line. */
  public Map<ConnectionSetting, String> given() {
    Map<ConnectionSetting, String> given = new EnumMap<>(ConnectionSetting.class);
    put(given, ConnectionSetting.SERVER, server);
    put(given, ConnectionSetting.CONTEXT, context);
    put(given, ConnectionSetting.NO_CONTEXT, noContext ? "true" : null);
    put(given, ConnectionSetting.CREDS, creds);
    put(given, ConnectionSetting.USER, user);
    put(given, ConnectionSetting.PASSWORD, password);
    put(given, ConnectionSetting.NKEY, nkey);
    put(given, ConnectionSetting.TLS_CERT, tlsCert);
    put(given, ConnectionSetting.TLS_KEY, tlsKey);
    put(given, ConnectionSetting.TLS_CA, tlsCa);
    put(given, ConnectionSetting.TLS_FIRST, tlsFirst ? "true" : null);
    put(given, ConnectionSetting.SOCKS_PROXY, socksProxy);
    put(given, ConnectionSetting.JS_DOMAIN, jsDomain);
    put(given, ConnectionSetting.JS_API_PREFIX, jsApiPrefix);
    put(given, ConnectionSetting.JS_EVENT_PREFIX, jsEventPrefix);
    put(given, ConnectionSetting.INBOX_PREFIX, inboxPrefix);
    put(given, ConnectionSetting.TIMEOUT, timeout);
    return given;
  }

  private static void put(
      Map<ConnectionSetting, String> given, ConnectionSetting setting, @Nullable String value) {
    if (value != null) {
      given.put(setting, value);
    }
  }
}
