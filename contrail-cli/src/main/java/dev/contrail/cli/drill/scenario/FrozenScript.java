package dev.contrail.cli.drill.scenario;

import dev.contrail.cli.drill.account.Run;
import dev.contrail.cli.drill.place.Waiting;
import dev.contrail.cli.drill.place.WorkerProcess;
import dev.contrail.cli.drill.worker.Task;
import dev.contrail.cli.drill.worker.WorkerOrders;
import java.time.Duration;
import java.util.List;

/** A worker stopped with SIGSTOP past its lease while another works, and continued. */
final class FrozenScript implements Script {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int MOST = 24;

  @Override
  public void play(Stage stage) throws InterruptedException {
    int freezes = Math.max(1, stage.extent().killsAt(1));
    int batch = Math.min(MOST, Math.max(8, stage.extent().messages() / (freezes + 1)));
    WorkerOrders orders = stage.orders().taking(stage.place().ackWait().dividedBy(2));
    WorkerProcess frozen = stage.start(orders).awaitUp();
    for (int i = 0; i < freezes; i++) {
      stage.place().work().publish(batch, Task.Kind.OK);
      // Stopped on its way into a handler, it would write down only when it goes on that it began.
      Waiting.require(
          LIMIT, "handlers on all threads", () -> running(frozen) == orders.concurrency());
      frozen.freeze();
      stage.fault("worker 1 frozen");
      WorkerProcess other = stage.start(orders.taking(Duration.ofMillis(5)));
      // Settled means that the lease of what it held ran out, and that the other did it.
      Waiting.require(LIMIT, "the other worker to do all", stage.place()::isSettled);
      Waiting.pass(stage.place().ackWait());
      frozen.thaw();
      stage.back("worker 1 continued");
      Waiting.require(LIMIT, "worker 1 to go on", () -> running(frozen) == 0);
      other.drain();
    }
    stage.place().work().publish(batch, Task.Kind.OK);
  }

  private static long running(WorkerProcess worker) {
    List<Run> runs = Run.of(1, false, worker.lines());
    return runs.stream().filter(run -> run.end().isEmpty()).count();
  }
}
