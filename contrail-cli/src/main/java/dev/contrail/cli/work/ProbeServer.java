package dev.contrail.cli.work;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.work.WorkSettings.Probes;
import dev.contrail.console.http.CannotListenException;
import dev.contrail.console.http.HttpServer;
import dev.contrail.console.http.HttpServer.Listening;
import dev.contrail.console.worker.WorkerProbes;
import dev.contrail.jetstream.ConsumerBuilder;
import java.net.URI;

/** Answers for the health and the metrics of a worker while it is open. */
final class ProbeServer implements AutoCloseable {
  private final WorkerProbes probes;
  private final HttpServer http;

  private ProbeServer(WorkerProbes probes, HttpServer http) {
    this.probes = probes;
    this.http = http;
  }

  /** There before the worker, so that a port that is taken stops nothing halfway. */
  static ProbeServer start(Probes wanted, Session session) {
    WorkerProbes probes =
        new WorkerProbes(session.connection(), session.server(), session.version());
    try {
      return new ProbeServer(
          probes,
          HttpServer.startProbes(
              new Listening(wanted.address(), wanted.port()), probes, wanted.anyName()));
    } catch (CannotListenException e) {
      probes.close();
      throw CommandFailure.failed(
          e.why() + "; choose another with --metrics-port, 0 for any that is free", e);
    }
  }

  URI metrics() {
    return http.address().resolve("/metrics");
  }

  void measure(ConsumerBuilder<byte[]> consumer) {
    consumer.meters(probes);
  }

  void stopping() {
    probes.stopping();
  }

  @Override
  public void close() {
    http.close();
    probes.close();
  }
}
