package dev.contrail.cli.connect;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.HeaderGuardDataPort;
import io.nats.client.AuthHandler;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.Options.HostnameResolveMode;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Connects, or says in one sentence why that is not possible. */
public final class Connector {
  private static final Duration REASON_WAIT = Duration.ofMillis(500);

  private final ConnectionSettings settings;
  private final String connectionName;
  private final Class<? extends HeaderGuardDataPort> dataPort;

  /**
   * Connects to what the settings say.
   *
   * @param connectionName what the server's monitoring shows
   */
  public Connector(ConnectionSettings settings, String connectionName) {
    this(settings, connectionName, HeaderGuardDataPort.class);
  }

  /**
   * Connects to what the settings say, another way.
   *
   * @param dataPort what reads and writes
   */
  public Connector(
      ConnectionSettings settings,
      String connectionName,
      Class<? extends HeaderGuardDataPort> dataPort) {
    this.settings = settings;
    this.connectionName = connectionName;
    this.dataPort = dataPort;
  }

  /**
   * A connection to a server with JetStream. It is tried once; once made it reconnects for ever.
   *
   * @throws CommandFailure when there is none
   */
  public Connection connect() {
    Connection connection = connectOnce();
    try {
      JetStreamCheck.require(connection, settings);
      return connection;
    } catch (CommandFailure e) {
      close(connection);
      throw e;
    }
  }

  private Connection connectOnce() {
    boolean tls = settings.tls().wanted() || settings.servers().stream().anyMatch(this::isTls);
    try {
      return attempt(tls);
    } catch (ConnectFailure e) {
      // As the nats tool does: the server asks for TLS, so it gets TLS.
      if (!tls && e.isTlsRequired()) {
        return connectWithTls();
      }
      throw e.explain(settings);
    }
  }

  private Connection connectWithTls() {
    try {
      return attempt(true);
    } catch (ConnectFailure e) {
      throw e.explain(settings);
    }
  }

  private Connection attempt(boolean tls) throws ConnectFailure {
    AtomicBoolean certificateAsked = new AtomicBoolean();
    Options options = options(tls, certificateAsked);
    ConnectWatch watch = new ConnectWatch(options.getErrorListener());
    Options watched = new Options.Builder(options).errorListener(watch).build();
    CompletableFuture<Connection> connecting = new CompletableFuture<>();
    Thread thread = new Thread(() -> connect(watched, connecting), "contrail-connect");
    thread.setDaemon(true);
    thread.start();
    try {
      // The client would wait for the rest of the timeout after a refusal; we do not.
      CompletableFuture.anyOf(connecting, watch.refusal()).get();
      if (!connecting.isDone()) {
        throw ConnectFailure.refused(watch.refusal().get());
      }
      Connection connection = connecting.get();
      watch.connected();
      return connection;
    } catch (ExecutionException e) {
      throw ConnectFailure.of(e, watch.failure(REASON_WAIT), certificateAsked.get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandFailure.failed("interrupted while connecting", e);
    }
  }

  private static void connect(Options options, CompletableFuture<Connection> connecting) {
    try {
      connecting.complete(Contrail.connect(options));
    } catch (RuntimeException e) {
      connecting.completeExceptionally(e);
    }
  }

  private boolean isTls(String url) {
    return url.startsWith("tls://") || url.startsWith("wss://");
  }

  private Options options(boolean tls, AtomicBoolean certificateAsked) {
    Options.Builder options =
        Contrail.options(String.join(",", settings.servers()))
            .connectionName(connectionName)
            .dataPortType(dataPort.getName())
            .connectionTimeout(settings.timeout());
    settings.inboxPrefix().ifPresent(options::inboxPrefix);
    settings
        .socksProxy()
        .map(proxy -> new InetSocketAddress(proxy.host(), proxy.port()))
        .ifPresent(
            address ->
                options
                    .proxy(new Proxy(Proxy.Type.SOCKS, address))
                    .hostnameResolveMode(HostnameResolveMode.Unresolved));
    authenticate(options, settings.credentials());
    if (tls) {
      options.sslContext(TlsContext.of(settings.tls(), certificateAsked));
    }
    if (settings.tls().first()) {
      options.tlsFirst();
    }
    return options.build();
  }

  private static void authenticate(Options.Builder options, Credentials credentials) {
    if (credentials instanceof Credentials.UserAndPassword user) {
      options.userInfo(user.user(), user.password());
    } else if (credentials instanceof Credentials.Token token) {
      options.token(token.token().toCharArray());
    } else if (credentials instanceof Credentials.CredsFile creds) {
      Path file = readable(creds.file(), "credentials");
      options.authHandler(usable(file, Nats.credentials(file.toString())));
    } else if (credentials instanceof Credentials.NkeyFile nkey) {
      options.authHandler(SeedFile.read(nkey.file()));
    } else if (credentials instanceof Credentials.JwtAndNkey jwt) {
      options.authHandler(SeedFile.read(jwt.nkeyFile()).withJwt(jwt.jwt()));
    }
  }

  private static Path readable(Path file, String what) {
    if (!Files.isReadable(file)) {
      throw CommandFailure.usage(
          "the "
              + what
              + " file "
              + file
              + (Files.exists(file) ? " cannot be read" : " is missing"));
    }
    return file;
  }

  private static AuthHandler usable(Path file, AuthHandler handler) {
    try {
      handler.getID();
      return handler;
    } catch (RuntimeException e) {
      throw CommandFailure.usage(file + " holds no NATS user credentials (a JWT and a seed)", e);
    }
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
