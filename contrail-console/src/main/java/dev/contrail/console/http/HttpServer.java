package dev.contrail.console.http;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.util.JavalinException;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.URI;
import java.time.Duration;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * Answers over HTTP until it is closed. What a request may cost is bounded: its size, how long it
 * may be silent, how many there are at once.
 */
public final class HttpServer implements AutoCloseable {
  private static final int MOST_CONNECTIONS = 200;
  private static final int MOST_THREADS = 16;
  private static final int FEWEST_THREADS = 4;
  private static final int HEADER_BYTES = 8 * 1024;
  private static final int BODY_BYTES = 64 * 1024;
  private static final Duration SILENCE = Duration.ofSeconds(10);

  private final Javalin javalin;
  private final InetAddress address;

  private HttpServer(Javalin javalin, InetAddress address) {
    this.javalin = javalin;
    this.address = address;
  }

  /**
   * Starts one.
   *
   * @param port 0 for any that is free
   * @throws CannotListenException when the port is taken, or not to be had
   */
  public static HttpServer start(InetAddress address, int port, Answers answers)
      throws CannotListenException {
    Javalin javalin =
        Javalin.create(
            config -> {
              bound(config);
              config.jetty.addConnector((server, http) -> connector(server, http, address, port));
              Endpoints.add(config.routes, answers);
            });
    try {
      javalin.start();
    } catch (JavalinException e) {
      throw new CannotListenException(why(e, address, port), e);
    }
    return new HttpServer(javalin, address);
  }

  private static void bound(JavalinConfig config) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.http.prefer405over404 = true;
    config.http.maxRequestSize = BODY_BYTES;
    config.http.asyncTimeout = SILENCE.toMillis();
    QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS, FEWEST_THREADS);
    threads.setName("contrail-http");
    threads.setDaemon(true);
    config.jetty.threadPool = threads;
    config.jetty.modifyHttpConfiguration(
        http -> {
          http.setRequestHeaderSize(HEADER_BYTES);
          http.setSendServerVersion(false);
          http.setSendDateHeader(false);
        });
    config.jetty.modifyServer(
        server -> {
          server.setStopTimeout(0);
          server.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, server));
          server.setErrorHandler(new PlainErrors());
        });
  }

  private static ServerConnector connector(
      Server server, HttpConfiguration http, InetAddress address, int port) {
    ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
    connector.setHost(address.getHostAddress());
    connector.setPort(port);
    connector.setIdleTimeout(SILENCE.toMillis());
    return connector;
  }

  private static String why(Throwable e, InetAddress address, int port) {
    String reason = reason(e);
    String where = "port " + port + " of " + address.getHostAddress();
    if (reason.contains("in use")) {
      return where + " is taken by another program";
    }
    if (reason.contains("denied")) {
      return where + " is not for this user";
    }
    if (reason.contains("assign")) {
      return address.getHostAddress() + " is no address of this machine";
    }
    return where + " cannot be had: " + reason;
  }

  private static String reason(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketException) {
        return String.valueOf(cause.getMessage());
      }
    }
    return String.valueOf(e.getMessage());
  }

  /** Where it is found. */
  public URI address() {
    String host = address.getHostAddress();
    return URI.create(
        "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + javalin.port());
  }

  @Override
  public void close() {
    javalin.stop();
  }
}
