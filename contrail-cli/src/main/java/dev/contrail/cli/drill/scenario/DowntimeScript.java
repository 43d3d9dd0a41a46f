package dev.contrail.cli.drill.scenario;

import dev.contrail.Durations;
import dev.contrail.cli.drill.place.Waiting;
import dev.contrail.cli.drill.worker.Point;
import dev.contrail.cli.drill.worker.Task;
import java.time.Duration;

/** No worker for longer than AckWait, and for longer than a TTL made after it would remember. */
final class DowntimeScript implements Script {
  static final int TIMES_ACK_WAIT = 3;

  /** What a marker with a TTL would be given: twice AckWait, as recipes say. */
  static final int TTL_TIMES_ACK_WAIT = 2;

  @Override
  public void play(Stage stage) throws InterruptedException {
    int kills = Math.max(1, stage.extent().killsAt(1));
    int batch = Math.max(4, stage.extent().messages() / kills);
    Duration ackWait = stage.place().ackWait();
    Duration down = ackWait.multipliedBy(TIMES_ACK_WAIT);
    for (int i = 0; i < kills; i++) {
      stage.place().work().publish(batch, Task.Kind.OK);
      int nth = 1 + stage.random().nextInt(batch);
      var unused = stage.killAt(stage.orders(), Point.AFTER_RECORD, nth);
      Waiting.pass(down);
      stage.step("down for " + Durations.format(down));
    }
    var unused = stage.start(stage.orders());
    stage.note(
        "Scaled down: "
            + Durations.format(down)
            + " without a worker is "
            + TIMES_ACK_WAIT
            + " times the AckWait of "
            + Durations.format(ackWait)
            + ", and longer than a TTL of "
            + Durations.format(ackWait.multipliedBy(TTL_TIMES_ACK_WAIT))
            + " would remember. Nothing in the ledger goes by time, so hours are no different; they"
            + " were not tried.");
  }
}
