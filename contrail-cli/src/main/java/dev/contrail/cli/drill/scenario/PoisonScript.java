package dev.contrail.cli.drill.scenario;

import dev.contrail.cli.drill.worker.Task;

/** Poison of both kinds in among healthy work, with workers that die at random besides. */
final class PoisonScript implements Script {
  private static final int POISON_IN = 5;

  @Override
  public void play(Stage stage) throws InterruptedException {
    int kills = stage.extent().killsAt(1);
    int rounds = Math.max(1, stage.extent().messages() / POISON_IN);
    for (int i = 0; i < rounds; i++) {
      stage.place().work().publish(1, Task.Kind.FAIL);
      stage.place().work().publish(POISON_IN - 2, Task.Kind.OK);
      stage.place().work().publish(1, Task.Kind.REJECT);
    }
    for (int i = 0; i < kills; i++) {
      stage.killAtRandom(stage.orders(), rounds);
    }
    var unused = stage.start(stage.orders());
  }
}
