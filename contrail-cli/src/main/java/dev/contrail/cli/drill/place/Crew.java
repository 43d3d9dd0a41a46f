package dev.contrail.cli.drill.place;

import dev.contrail.cli.drill.worker.WorkerOrders;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** All processes that a drill started at one workplace. Closing it ends those that still run. */
public final class Crew implements AutoCloseable {
  private final Workplace place;
  private final List<WorkerProcess> workers = new ArrayList<>();

  public Crew(Workplace place) {
    this.place = place;
  }

  /** Starts one more. */
  public WorkerProcess start(WorkerOrders orders) {
    Path files =
        place.site().scratch().resolve(place.names().prefix() + "-" + (workers.size() + 1));
    WorkerProcess worker = WorkerProcess.start(place.site(), orders, files);
    workers.add(worker);
    return worker;
  }

  /** All that were started, also those that are dead. */
  public List<WorkerProcess> all() {
    return List.copyOf(workers);
  }

  @Override
  public void close() {
    workers.forEach(WorkerProcess::close);
  }
}
