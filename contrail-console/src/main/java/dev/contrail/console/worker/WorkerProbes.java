package dev.contrail.console.worker;

import dev.contrail.console.health.Readiness;
import dev.contrail.console.http.Answers;
import dev.contrail.console.metrics.WorkerMetrics;
import dev.contrail.console.worker.WorkerHealth.Work;
import dev.contrail.engine.StoreKind;
import dev.contrail.engine.WorkerStatus;
import dev.contrail.jetstream.ConsumerFigures;
import dev.contrail.jetstream.ConsumerMeters;
import dev.contrail.operations.schedule.TaskStatus;
import io.nats.client.Connection;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a worker answers to those who ask for its health and its metrics, from before it begins to
 * work until after its end. Thread-safe.
 */
public final class WorkerProbes implements Answers, ConsumerMeters, AutoCloseable {
  private final Connection connection;
  private final String server;
  private final WorkerMetrics metrics;
  private volatile @Nullable ConsumerFigures consumer;
  private volatile boolean stopping;

  /**
   * Of a worker that is not there yet.
   *
   * @param server the NATS server for people to read, without passwords
   * @param version of the program
   */
  public WorkerProbes(Connection connection, String server, String version) {
    this.connection = connection;
    this.server = server;
    this.metrics = new WorkerMetrics(version, this::readiness);
  }

  @Override
  public Meter open(ConsumerFigures figures) {
    Meter meter = metrics.meters().open(figures);
    consumer = figures;
    return meter;
  }

  /** It was asked to end. */
  public void stopping() {
    stopping = true;
  }

  @Override
  public Readiness readiness() {
    return new WorkerHealth(
            server,
            connection.getStatus(),
            Optional.ofNullable(consumer).map(WorkerProbes::work),
            stopping)
        .readiness();
  }

  private static Work work(ConsumerFigures figures) {
    WorkerStatus status = figures.status();
    return new Work(
        Arrays.stream(StoreKind.values()).filter(figures::isDown).toList(),
        status.held(),
        status.breakerOpen(),
        status.paused());
  }

  @Override
  public List<TaskStatus> tasks() {
    return List.of();
  }

  @Override
  public String metrics() {
    return metrics.scrape();
  }

  @Override
  public void close() {
    metrics.close();
  }
}
