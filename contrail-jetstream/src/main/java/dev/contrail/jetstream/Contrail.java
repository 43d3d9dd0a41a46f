package dev.contrail.jetstream;

import dev.contrail.Codec;
import io.nats.client.AuthenticationException;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.Options.HostnameResolveMode;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Where an application begins: a connection, and consumers and publishers on it. */
public final class Contrail {
  private static final String GUARD = HeaderGuardDataPort.class.getName();
  private static final Duration REASON_WAIT = Duration.ofMillis(500);

  // Dead after 12 s. More pings out than jnats' two: flush() counts as one, and three at once
  // would pass for a dead connection.
  private static final Duration PING_INTERVAL = Duration.ofSeconds(2);
  private static final int MAX_PINGS_OUT = 5;

  // A subject may fill the server's own limit, and the reply subject of a delivery comes on top.
  private static final int MAX_CONTROL_LINE = 64 * 1024;
  private static final int OUTGOING_QUEUE = 64 * 1024;

  private Contrail() {}

  /**
   * Connects to the server or servers (a list with commas) at {@code url}, for good: the connection
   * survives messages with hostile headers and reconnects for ever. Close it when done.
   *
   * <p>With {@code tls://} and {@code wss://} the server's certificate must be trusted by the JVM
   * and be for the host that {@code url} names. See {@link #connect(Options)}.
   *
   * @throws ServerUnavailableException when no server answers, or its certificate is refused
   * @throws ContrailException when the address is none, or the server refuses the credentials
   */
  public static Connection connect(String url) {
    return connect(options(url).build());
  }

  /**
   * Connects with {@code options}, which best come from {@link #options(String)}. The data port is
   * changed to the one that survives hostile headers, and the server pool to one that knows the
   * names of its servers, unless the options have their own.
   *
   * <p>With TLS, a server's certificate must be for the host that its address names, whatever the
   * {@code HostnameResolveMode}, and through a proxy too. A server that the cluster made known by
   * an IP address that is not configured must show a certificate for a configured name: the one
   * that leads to that address, else the first. The address itself counts where no name is
   * configured. With {@code opentls://} among the addresses, by which jnats trusts any certificate,
   * no host is checked; {@code Options.Builder.opentls()} alone does not have that effect.
   *
   * <p>A data port of your own that does not extend {@link HeaderGuardDataPort} checks no host.
   * With a server pool of your own, the address that a name led to is treated as one that the
   * cluster made known.
   *
   * @throws ServerUnavailableException when no server answers, or its certificate is refused
   * @throws ContrailException when the server refuses the credentials
   */
  public static Connection connect(Options options) {
    Options guarded = guarded(options);
    String servers = ServerUrls.shown(options.getServers());
    try {
      return Nats.connect(guarded);
    } catch (AuthenticationException e) {
      throw new ContrailException(
          "The NATS server at " + servers + " refuses the credentials: " + e.getMessage(), e);
    } catch (IOException e) {
      Exception reason = reason(guarded, e);
      throw new ServerUnavailableException(
          "No connection to a NATS server at "
              + servers
              + ": "
              + ServerUrls.withoutCredentials(
                  ConnectReason.of(reason, options.getConnectionTimeout())),
          reason);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ContrailException("Interrupted while connecting to " + servers, e);
    }
  }

  /**
   * The options of {@link #connect(String)}, to add credentials, TLS or listeners to. They
   * reconnect for ever, notice a dead server within some 12 seconds, log in one line each what
   * happens, and keep nothing for a server that is away: a publish or an ack fails at once with an
   * {@link IllegalStateException} while disconnected, since an ack that arrives late may undo the
   * work of another worker. A host name is tried with all its addresses, IPv4 and IPv6.
   *
   * <p>They are meant for {@link #connect(Options)}. With {@code Nats.connect} the same holds, but
   * of several names that lead to one address and port, a certificate must be for the first.
   */
  public static Options.Builder options(String url) {
    ConnectionLog log = new ConnectionLog();
    return forServer(url)
        .connectionName("contrail")
        .dataPortType(GUARD)
        .hostnameResolveMode(HostnameResolveMode.ResolveToAllIncludeIPV6)
        .maxReconnects(-1)
        .reconnectWait(Duration.ofSeconds(1))
        .reconnectJitter(Duration.ofMillis(500))
        .reconnectBufferSize(0)
        .pingInterval(PING_INTERVAL)
        .maxPingsOut(MAX_PINGS_OUT)
        .maxControlLine(MAX_CONTROL_LINE)
        .maxMessagesInOutgoingQueue(OUTGOING_QUEUE)
        .supportUTF8Subjects()
        .errorListener(log)
        .connectionListener(log);
  }

  /**
   * Begins the description of a durable consumer of a stream; {@link ConsumerBuilder#start} makes
   * or adopts it and begins to work.
   */
  public static ConsumerBuilder<byte[]> consumer(
      Connection connection, String stream, String consumer) {
    return new ConsumerBuilder<>(
        connection, stream, consumer, Codec.bytes(), new ConsumerOptions());
  }

  /**
   * Begins the description of a publisher to any streams; {@link PublisherBuilder#start} opens it.
   */
  public static PublisherBuilder publisher(Connection connection) {
    return new PublisherBuilder(connection);
  }

  /** Whether messages with hostile headers do no harm to the connection. */
  public static boolean isGuarded(@Nullable Connection connection) {
    if (connection == null) {
      return false;
    }
    String port = connection.getOptions().getDataPortType();
    return port.equals(GUARD) || extendsGuard(port);
  }

  private static Options guarded(Options options) {
    Options.Builder guarded = new Options.Builder(options);
    if (options.getDataPortType().equals(Options.DEFAULT_DATA_PORT_TYPE)) {
      guarded.dataPortType(GUARD);
    }
    if (options.getServerPool() == null) {
      guarded.serverPool(new NamedServers());
    }
    return guarded.build();
  }

  private static boolean extendsGuard(String port) {
    try {
      return HeaderGuardDataPort.class.isAssignableFrom(Class.forName(port));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static Options.Builder forServer(String url) {
    try {
      return new Options.Builder().server(url);
    } catch (IllegalArgumentException e) {
      throw new ContrailException(
          "“"
              + ServerUrls.withoutCredentials(url)
              + "” is not the address of a NATS server; one looks like nats://127.0.0.1:4222",
          e);
    }
  }

  private static Exception reason(Options options, IOException failure) {
    return options.getErrorListener() instanceof ConnectionLog log
        ? log.firstFailure(REASON_WAIT).orElse(failure)
        : failure;
  }
}
