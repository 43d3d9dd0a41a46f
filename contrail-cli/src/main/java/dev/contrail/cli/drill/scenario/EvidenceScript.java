package dev.contrail.cli.drill.scenario;

import dev.contrail.cli.drill.account.Promise;
import dev.contrail.cli.drill.worker.Point;
import dev.contrail.cli.drill.worker.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Crashes around evidence and Term. */
final class EvidenceScript implements Script {
  private static final int ONE_IN = 3;

  @Override
  public void play(Stage stage) throws InterruptedException {
    List<Optional<Point>> kills =
        PointKills.of(Point.AROUND_EVIDENCE, stage.extent().killsAt(Point.AROUND_EVIDENCE.size()));
    int batch = Math.max(ONE_IN * 2, stage.extent().messages() / Math.max(1, kills.size()));
    int dying = batch / ONE_IN;
    stage.place().work().publishLargest(Task.Kind.REJECT);
    for (Optional<Point> point : kills) {
      stage.place().work().publish(batch - dying, Task.Kind.OK);
      stage.place().work().publish(dying, Task.Kind.REJECT);
      if (point.isEmpty()) {
        stage.killAtRandom(stage.orders(), batch);
      } else {
        int nth = 1 + stage.random().nextInt(dying);
        String subject = stage.killAt(stage.orders(), point.get(), nth);
        check(stage, point.get(), AckedMessage.sequence(subject, stage.place().stream()));
      }
    }
    var unused = stage.start(stage.orders());
  }

  /** What was about to be terminated has its dead letter, right now. */
  private static void check(Stage stage, Point point, long sequence) throws InterruptedException {
    if (point.isAfter() || point == Point.AFTER_EVIDENCE) {
      boolean there = stage.reader().letters(new ArrayList<>()).containsKey(sequence);
      if (!there) {
        stage.breach(
            Promise.WHOLE_EVIDENCE,
            "a message was terminated, or about to be, without a dead letter",
            "sequence " + sequence + ", worker killed " + point.words());
      }
    }
  }
}
