package dev.contrail.cli.connect;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.DurationValue;
import dev.contrail.cli.command.YesOrNo;
import dev.contrail.cli.connect.ConnectionSettings.HostAndPort;
import dev.contrail.cli.connect.ConnectionSettings.JetStreamAccess;
import dev.contrail.cli.connect.Layer.Said;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Decides what to connect to, as the nats tool does: a flag goes before a variable, a variable
 * before contrail.yaml, that before the saved context, that before the default.
 *
 * <p>Where this departs from the nats tool: credentials of a nearer layer replace those of a
 * farther one whatever their kind, so that {@code --creds} works beside a context with a user.
 */
public final class ConnectionResolver {
  private final ConnectionSources sources;
  private final Optional<Said> contextChoice;
  private final Optional<NatsContext> context;
  private final Optional<NscProfile> nsc;

  private ConnectionResolver(ConnectionSources sources, Function<String, NscProfile> nscProfiles) {
    this.sources = sources;
    this.contextChoice = first(ConnectionSetting.CONTEXT, List.of(Layer.values()));
    this.context = context();
    this.nsc = context.flatMap(c -> c.field("nsc")).map(nscProfiles);
  }

  public static ConnectionSettings resolve(ConnectionSources sources) {
    return resolve(sources, NscProfile::lookUp);
  }

  static ConnectionSettings resolve(
      ConnectionSources sources, Function<String, NscProfile> nscProfiles) {
    return new ConnectionResolver(sources, nscProfiles).settings();
  }

  private ConnectionSettings settings() {
    return new ConnectionSettings(
        servers(),
        context.map(NatsContext::name),
        new CredentialChoice(this::first, context, nsc, this::path).choose(),
        tls(),
        new JetStreamAccess(
            value(ConnectionSetting.JS_DOMAIN),
            value(ConnectionSetting.JS_API_PREFIX),
            value(ConnectionSetting.JS_EVENT_PREFIX)),
        value(ConnectionSetting.INBOX_PREFIX),
        parsed(ConnectionSetting.SOCKS_PROXY, ConnectionResolver::hostAndPort),
        timeout());
  }

  private Optional<NatsContext> context() {
    if (first(ConnectionSetting.NO_CONTEXT, List.of(Layer.values()))
        .filter(this::yes)
        .isPresent()) {
      return Optional.empty();
    }
    return contextChoice
        .map(choice -> sources.contexts().named(choice.value()))
        .or(() -> sources.contexts().selected());
  }

  private List<String> servers() {
    return parsed(ConnectionSetting.SERVER, ServerUrls::parse)
        .or(() -> nsc.flatMap(NscProfile::servers).map(ServerUrls::parse))
        .orElse(List.of(ConnectionSettings.DEFAULT_SERVER));
  }

  private TlsSettings tls() {
    Optional<Path> certificate = value(ConnectionSetting.TLS_CERT).map(this::path);
    Optional<Path> key = value(ConnectionSetting.TLS_KEY).map(this::path);
    if (certificate.isPresent() != key.isPresent()) {
      throw CommandFailure.usage(
          certificate.isPresent()
              ? "--tlscert is given without --tlskey; a certificate needs its private key"
              : "--tlskey is given without --tlscert; a private key needs its certificate");
    }
    boolean tlsFirst = said(ConnectionSetting.TLS_FIRST).filter(this::yes).isPresent();
    return new TlsSettings(
        certificate.map(file -> new TlsSettings.Identity(file, key.orElseThrow())),
        value(ConnectionSetting.TLS_CA).map(this::path),
        tlsFirst);
  }

  private Duration timeout() {
    return parsed(ConnectionSetting.TIMEOUT, ConnectionResolver::positive)
        .orElse(ConnectionSettings.DEFAULT_TIMEOUT);
  }

  private Optional<String> value(ConnectionSetting setting) {
    return said(setting).map(Said::value);
  }

  private <T> Optional<T> parsed(ConnectionSetting setting, Function<String, T> parser) {
    return said(setting)
        .map(
            said -> {
              try {
                return parser.apply(said.value());
              } catch (BadValueException e) {
                throw CommandFailure.usage(said.name() + ": " + e.sentence(), e);
              }
            });
  }

  private Optional<Said> said(ConnectionSetting setting) {
    return first(setting).or(() -> ofContext(setting));
  }

  private Optional<Said> ofContext(ConnectionSetting setting) {
    return context.flatMap(
        c ->
            c.field(setting.contextField())
                .map(
                    value ->
                        new Said(
                            Layer.FILE,
                            setting.contextField() + " in context " + c.name(),
                            value)));
  }

  private Optional<Said> first(ConnectionSetting setting) {
    return first(setting, layersFor(setting));
  }

  private Optional<Said> first(ConnectionSetting setting, List<Layer> layers) {
    return layers.stream().flatMap(layer -> layer.find(setting, sources).stream()).findFirst();
  }

  // A context chosen nearer than contrail.yaml replaces the connection that contrail.yaml
  // describes.
  private List<Layer> layersFor(ConnectionSetting setting) {
    boolean contextIsNearer =
        contextChoice.filter(choice -> choice.layer() != Layer.FILE).isPresent();
    return contextIsNearer && !setting.contextField().isEmpty()
        ? List.of(Layer.FLAG, Layer.VARIABLE)
        : List.of(Layer.values());
  }

  private boolean yes(Said said) {
    try {
      return YesOrNo.parse(said.value());
    } catch (BadValueException e) {
      throw CommandFailure.usage(said.name() + ": " + e.sentence(), e);
    }
  }

  private Path path(String text) {
    return PathExpansion.expand(text, sources.env(), sources.home());
  }

  private static Duration positive(String text) {
    Duration timeout = DurationValue.parse(text);
    if (timeout.isZero() || timeout.isNegative()) {
      throw new BadValueException("'" + text + "' is too short; accepted is more than zero");
    }
    return timeout;
  }

  private static HostAndPort hostAndPort(String text) {
    String url = text.contains("://") ? text : "socks5://" + text;
    try {
      URI uri = URI.create(url);
      if (uri.getHost() != null && uri.getPort() > 0) {
        return new HostAndPort(uri.getHost(), uri.getPort());
      }
    } catch (IllegalArgumentException malformed) {
      throw noProxy(text);
    }
    throw noProxy(text);
  }

  private static BadValueException noProxy(String text) {
    return new BadValueException(
        "'" + ServerUrls.masked(text) + "' is no SOCKS proxy; accepted is socks5://HOST:PORT");
  }
}
