package dev.contrail.cli.drill.scenario;

import dev.contrail.cli.drill.account.Promise;
import dev.contrail.cli.drill.place.Waiting;
import dev.contrail.cli.drill.worker.Point;
import dev.contrail.cli.drill.worker.Task;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Crashes around the record of a completion and its ack; then a consumer that forgot all acks. */
final class AckScript implements Script {
  private static final Duration SETTLING = Duration.ofMinutes(5);

  @Override
  public void play(Stage stage) throws InterruptedException {
    List<Optional<Point>> kills =
        PointKills.of(Point.AROUND_ACK, stage.extent().killsAt(Point.AROUND_ACK.size()));
    int batch = Math.max(4, stage.extent().messages() / Math.max(1, kills.size()));
    for (Optional<Point> point : kills) {
      stage.place().work().publish(batch, Task.Kind.OK);
      if (point.isEmpty()) {
        stage.killAtRandom(stage.orders(), batch);
      } else {
        // Records are of many at once, so that the first is all there is for certain.
        int nth = point.get() == Point.BEFORE_RECORD ? 1 : 1 + stage.random().nextInt(batch);
        String subject = stage.killAt(stage.orders(), point.get(), nth);
        check(stage, point.get(), AckedMessage.sequence(subject, stage.place().stream()));
      }
    }
    var worker = stage.start(stage.orders());
    if (Waiting.until(SETTLING, stage.place()::isSettled)) {
      worker.drain();
      stage.place().forgetAcks();
      stage.fault("the consumer is made again: every ack is forgotten");
      var unused = stage.start(stage.orders());
    }
  }

  private static void check(Stage stage, Point point, long sequence) throws InterruptedException {
    if (sequence > 0 && !stage.reader().completed().contains(sequence)) {
      stage.breach(
          Promise.NO_RUN_AFTER_RECORD,
          "a message was acknowledged, or about to be, and is not on record",
          "sequence " + sequence + ", worker killed " + point.words());
    }
  }
}
