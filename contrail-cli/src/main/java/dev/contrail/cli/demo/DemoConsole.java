package dev.contrail.cli.demo;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.console.Service;
import dev.contrail.console.ServiceOptions;
import dev.contrail.console.desk.Account;
import dev.contrail.console.http.CannotListenException;
import dev.contrail.console.http.HttpServer;
import dev.contrail.console.http.HttpServer.Listening;
import dev.contrail.console.web.DoorSettings;
import dev.contrail.jetstream.Names;
import dev.contrail.operations.doctor.DoctorOptions;
import dev.contrail.operations.guard.GuardOptions;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Set;

/** What {@code contrail serve} does, beside the demo. */
final class DemoConsole implements AutoCloseable {
  private static final int USUAL_PORT = 8422;
  private static final int ANY_PORT = 0;
  private static final Duration OFTEN = Duration.ofSeconds(5);

  private final Service service;
  private final HttpServer http;

  private DemoConsole(Service service, HttpServer http) {
    this.service = service;
    this.http = http;
  }

  static DemoConsole start(Connection connection, String server) {
    ServiceOptions options =
        ServiceOptions.DEFAULT
            .withGuard(GuardOptions.DEFAULT.withBy("demo").withSweepEvery(Duration.ofSeconds(10)))
            .withOrphans(ServiceOptions.DEFAULT.orphans(), OFTEN)
            .withDoctor(DoctorOptions.defaults().withOver(Duration.ZERO), Set.of(), OFTEN);
    Service service =
        new Service(
            new Account(connection, JetStreamOptions.defaultOptions(), Names.DEFAULT, server),
            options,
            "demo");
    HttpServer http = listen(service);
    try {
      service.begin();
    } catch (RuntimeException e) {
      http.close();
      throw e;
    }
    return new DemoConsole(service, http);
  }

  /** At the usual port, or at any where that is taken. */
  private static HttpServer listen(Service service) {
    try {
      return listen(service, USUAL_PORT);
    } catch (CannotListenException taken) {
      try {
        return listen(service, ANY_PORT);
      } catch (CannotListenException e) {
        throw CommandFailure.failed(e.why(), e);
      }
    }
  }

  private static HttpServer listen(Service service, int port) throws CannotListenException {
    return HttpServer.start(
        new Listening(InetAddress.getLoopbackAddress(), port),
        service,
        service.tokens(),
        DoorSettings.local("demo"));
  }

  URI address() {
    return http.address();
  }

  @Override
  public void close() {
    try {
      service.end(DemoRun.SETTLING);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    http.close();
  }
}
