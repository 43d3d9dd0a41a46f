package dev.contrail.cli.drill.scenario;

import dev.contrail.cli.drill.place.DrillException;
import dev.contrail.cli.drill.place.Waiting;
import dev.contrail.cli.drill.place.WorkerProcess;
import dev.contrail.cli.drill.worker.Point;
import dev.contrail.cli.drill.worker.RunLine.What;
import dev.contrail.cli.drill.worker.Task;
import dev.contrail.cli.drill.worker.WorkerOrders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A process that replays dead letters, killed at each step and resumed by the next. */
final class ReplayScript implements Script {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  @Override
  public void play(Stage stage) throws InterruptedException {
    List<Optional<Point>> kills =
        PointKills.of(Point.OF_REPLAY, stage.extent().killsAt(Point.OF_REPLAY.size()));
    int batch = Math.max(3, stage.extent().messages() / 2 / Math.max(1, kills.size()));
    WorkerOrders replay = stage.orders().as(WorkerOrders.Role.REPLAY);
    var worker = stage.start(stage.orders()).awaitUp();
    for (Optional<Point> point : kills) {
      stage.place().work().publish(batch, Task.Kind.OK);
      stage.place().work().publish(batch, Task.Kind.REJECT_ONCE);
      awaitDead(stage);
      if (point.isPresent()) {
        // Progress is written of many at once, so that the first is all there is for certain.
        int nth = point.get() == Point.BEFORE_PROGRESS ? 1 : 1 + stage.random().nextInt(batch);
        var unused = stage.killAt(replay, point.get(), nth);
      } else {
        WorkerProcess process = stage.start(replay);
        Waiting.require(LIMIT, "the replay to begin", () -> process.first(What.UP).isPresent());
        Waiting.pass(Duration.ofMillis(stage.random().nextInt(300)));
        stage.kill(process, "at random");
      }
    }
    stage.start(replay).awaitFinished();
    if (!worker.isAlive()) {
      throw new DrillException("the worker ended by itself");
    }
  }

  private static void awaitDead(Stage stage) throws InterruptedException {
    long expected = stage.place().published().stream().filter(work -> work.isToDie()).count();
    boolean dead =
        Waiting.until(LIMIT, () -> stage.reader().letters(new ArrayList<>()).size() >= expected);
    if (!dead) {
      throw new DrillException("what was to die for a replay has no dead letters after minutes");
    }
  }
}
