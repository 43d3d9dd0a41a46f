package dev.contrail.cli.drill.scenario;

import dev.contrail.Durations;
import dev.contrail.cli.drill.account.Promise;
import dev.contrail.cli.drill.place.Waiting;
import dev.contrail.cli.drill.place.WorkerProcess;
import dev.contrail.cli.drill.worker.RunLine.What;
import dev.contrail.cli.drill.worker.Task;
import java.time.Duration;

/** Handlers that take longer than AckWait; some of their workers die meanwhile. */
final class SlowScript implements Script {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int SLOW = 3;

  @Override
  public void play(Stage stage) throws InterruptedException {
    int kills = Math.max(1, stage.extent().killsAt(1));
    stage.place().work().publish(SLOW, Task.Kind.SLOW);
    stage.place().work().publish(Math.max(1, stage.extent().messages() - SLOW), Task.Kind.OK);
    WorkerProcess patient = stage.start(stage.orders());
    Waiting.require(LIMIT, "slow handlers", () -> stage.place().isSettled() || !patient.isAlive());
    long again = stage.place().consumer().getDelivered().getConsumerSequence();
    long messages = stage.place().published().size();
    if (again > messages && !stage.stoodStill()) {
      stage.breach(
          Promise.OUTAGES_KILL_NOTHING,
          "messages were delivered again while their handlers ran",
          again + " deliveries of " + messages + " messages");
    }
    patient.drain();
    for (int i = 0; i < kills; i++) {
      stage.place().work().publish(1, Task.Kind.SLOW);
      WorkerProcess worker = stage.start(stage.orders());
      Waiting.require(
          LIMIT,
          "a handler to begin",
          () -> worker.first(What.START).isPresent() || !worker.isAlive());
      stage.kill(worker, "while its handler ran");
    }
    var unused = stage.start(stage.orders());
    stage.note(
        "Slow handlers take "
            + Durations.format(stage.place().ackWait().multipliedBy(5).dividedBy(2))
            + ", two and a half times AckWait.");
  }
}
