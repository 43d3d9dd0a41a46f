package dev.contrail.console.http;

import dev.contrail.console.access.TokenBook;
import dev.contrail.console.api.Api;
import dev.contrail.console.desk.Desk;
import dev.contrail.console.pages.Pages;
import dev.contrail.console.pages.Screen;
import dev.contrail.console.web.Assets;
import dev.contrail.console.web.Door;
import dev.contrail.console.web.DoorSettings;
import dev.contrail.console.web.Live;
import dev.contrail.console.web.Need;
import dev.contrail.console.web.Route;
import dev.contrail.console.web.Router;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.util.JavalinException;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.EagerContentHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * Answers over HTTP until it is closed. What a request may cost is bounded: its size, how long it
 * may be silent, how many there are at once.
 */
public final class HttpServer implements AutoCloseable {
  private static final int MOST_CONNECTIONS = 200;
  private static final int MOST_THREADS = 32;
  private static final int FEWEST_THREADS = 4;
  // The ids of those that were chosen on a page of a list are in the address of the next.
  private static final int HEADER_BYTES = 32 * 1024;
  // An edited payload of a message as large as servers take by default, encoded by a form.
  private static final int BODY_BYTES = 4 * 1024 * 1024;
  // So much of a request is there before a thread is given to it: whoever sends slowly holds none.
  private static final int EAGER_BYTES = 64 * 1024;
  private static final int FRAME_BYTES = 128;
  private static final Duration SILENCE = Duration.ofSeconds(10);

  private final Javalin javalin;
  private final Listening listening;
  private final Live live;
  private final List<Route> routes;

  private HttpServer(Javalin javalin, Listening listening, Live live, List<Route> routes) {
    this.javalin = javalin;
    this.listening = listening;
    this.live = live;
    this.routes = routes;
  }

  /**
   * Where and how to listen.
   *
   * @param port 0 for any that is free
   * @param tls by which requests come encrypted; empty for plain HTTP
   */
  public record Listening(InetAddress address, int port, Optional<SSLContext> tls) {
    /** In plain HTTP. */
    public Listening(InetAddress address, int port) {
      this(address, port, Optional.empty());
    }
  }

  /**
   * Starts one that everybody on this machine may ask, as long as there are no tokens.
   *
   * @throws CannotListenException when the port is taken, or not to be had
   */
  public static HttpServer start(Listening listening, Answers answers)
      throws CannotListenException {
    return start(listening, answers, TokenBook.NONE, DoorSettings.local("console"));
  }

  /**
   * Starts one that answers health and metrics alone.
   *
   * @param anyName whether it is asked for under names too, so that whoever can have a name lead
   *     here can have somebody's browser ask; else under addresses and localhost only
   * @throws CannotListenException when the port is taken, or not to be had
   */
  public static HttpServer startProbes(Listening listening, Answers answers, boolean anyName)
      throws CannotListenException {
    Door door = new Door(TokenBook.NONE, DoorSettings.local("probe"), InstantSource.system());
    return start(
        listening,
        answers,
        door,
        (router, live, routes) -> {
          Endpoints.add(router, answers, door, anyName ? Need.NOBODY : Need.VIEWER);
          Failures.add(routes, Optional.empty());
        });
  }

  /**
   * Starts one.
   *
   * @throws CannotListenException when the port is taken, or not to be had
   */
  public static HttpServer start(
      Listening listening, Answers answers, TokenBook tokens, DoorSettings settings)
      throws CannotListenException {
    Door door = new Door(tokens, settings, InstantSource.system());
    return start(
        listening,
        answers,
        door,
        (router, live, routes) -> add(router, answers, door, live, routes));
  }

  /** Adds what can be asked for. */
  private interface Contents {
    void add(Router router, Live live, RoutesConfig routes);
  }

  private static HttpServer start(
      Listening listening, Answers answers, Door door, Contents contents)
      throws CannotListenException {
    Runnable expire = () -> answers.desk().ifPresent(Desk::expire);
    Live live = new Live(answers::changes, expire);
    List<Route> added = new ArrayList<>();
    Javalin javalin =
        Javalin.create(
            config -> {
              bound(config);
              config.jetty.addConnector((server, http) -> connector(server, http, listening));
              Router router = new Router(config.routes, door);
              config.routes.before(HttpServer::harden);
              // Whoever does something sees it on the next page.
              config.routes.after(context -> expireAfter(context, expire));
              contents.add(router, live, config.routes);
              added.addAll(router.routes());
            });
    try {
      javalin.start();
    } catch (JavalinException e) {
      live.close();
      throw new CannotListenException(why(e, listening.address(), listening.port()), e);
    }
    return new HttpServer(javalin, listening, live, added);
  }

  private static void add(
      Router router, Answers answers, Door door, Live live, RoutesConfig routes) {
    Screen screen = new Screen(answers::desk, () -> trouble(answers), door, answers.version());
    Endpoints.add(router, answers, door, Need.VIEWER);
    new Assets().add(router);
    live.add(router);
    Pages.add(router, screen);
    Api.add(router, answers::desk);
    Failures.add(routes, Optional.of(screen));
  }

  private static String trouble(Answers answers) {
    return answers.readiness().checks().stream()
        .filter(check -> !check.ok())
        .map(check -> check.name() + ": " + check.detail())
        .collect(Collectors.joining("; "));
  }

  private static void expireAfter(Context context, Runnable expire) {
    if (Door.isChange(context)) {
      expire.run();
    }
  }

  /** Nothing is for a browser to keep, to run or to show within another page, unless it says so. */
  private static void harden(Context context) {
    context.header("Cache-Control", "no-store");
    context.header("X-Content-Type-Options", "nosniff");
    context.header("Cross-Origin-Resource-Policy", "same-origin");
    context.header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
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
          server.setHandler(
              new EagerContentHandler(
                  new EagerContentHandler.RetainedContentLoaderFactory(
                      EAGER_BYTES, FRAME_BYTES, false)));
        });
  }

  private static ServerConnector connector(
      Server server, HttpConfiguration http, Listening listening) {
    ServerConnector connector =
        listening
            .tls()
            .map(context -> encrypted(server, http, context))
            .orElseGet(() -> new ServerConnector(server, new HttpConnectionFactory(http)));
    connector.setHost(listening.address().getHostAddress());
    connector.setPort(listening.port());
    connector.setIdleTimeout(SILENCE.toMillis());
    return connector;
  }

  private static ServerConnector encrypted(
      Server server, HttpConfiguration http, SSLContext context) {
    SslContextFactory.Server tls = new SslContextFactory.Server();
    tls.setSslContext(context);
    // Whoever connects by an address, or by another name, is served all the same.
    SecureRequestCustomizer secure = new SecureRequestCustomizer();
    secure.setSniHostCheck(false);
    HttpConfiguration encrypted = new HttpConfiguration(http);
    encrypted.addCustomizer(secure);
    return new ServerConnector(server, tls, new HttpConnectionFactory(encrypted));
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
    String host = listening.address().getHostAddress();
    return URI.create(
        (listening.tls().isPresent() ? "https" : "http")
            + "://"
            + (host.contains(":") ? "[" + host + "]" : host)
            + ":"
            + javalin.port());
  }

  /** All that can be asked for. */
  public List<Route> routes() {
    return routes;
  }

  @Override
  public void close() {
    live.close();
    javalin.stop();
  }
}
