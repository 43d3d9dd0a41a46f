package dev.contrail.cli.drill.scenario;

import dev.contrail.cli.drill.place.Waiting;
import dev.contrail.cli.drill.place.WorkerProcess;
import dev.contrail.cli.drill.worker.RunLine.What;
import dev.contrail.cli.drill.worker.Task;
import dev.contrail.server.NatsServer;
import java.time.Duration;

/** The server killed under a worker that lives on, and ended in order and started again. */
final class RestartScript implements Script {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  @Override
  public void play(Stage stage) throws InterruptedException {
    NatsServer server = stage.place().site().server().orElseThrow();
    int kills = Math.max(1, stage.extent().killsAt(2));
    int batch = Math.max(4, stage.extent().messages() / (kills + 1));
    WorkerProcess worker = stage.start(stage.orders()).awaitUp();
    for (int i = 0; i < kills; i++) {
      stage.place().work().publish(batch, Task.Kind.OK);
      long enough = done(worker) + 1 + stage.random().nextInt(batch / 2);
      var unused = Waiting.until(LIMIT, () -> done(worker) >= enough);
      if (i % 2 == 0) {
        server.kill();
        stage.killed("server killed");
      } else {
        server.stop();
        stage.fault("server stopped in order");
      }
      server.startAgain();
      stage.back("server started again");
    }
    stage.place().work().publish(batch, Task.Kind.OK);
  }

  private static long done(WorkerProcess worker) {
    return worker.lines().stream().filter(line -> line.what() == What.DONE).count();
  }
}
