package dev.contrail.cli.drill.scenario;

import dev.contrail.cli.drill.account.Letter;
import dev.contrail.cli.drill.account.Promise;
import dev.contrail.cli.drill.place.Waiting;
import dev.contrail.cli.drill.place.WorkerProcess;
import dev.contrail.cli.drill.worker.Task;
import dev.contrail.jetstream.Store;
import dev.contrail.ledger.SequenceSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The dead-letter store is full while messages die, and then has room again. */
final class FullScript implements Script {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int OUTAGE_TIMES_ACK_WAIT = 2;
  private static final int ONE_IN = 4;

  @Override
  public void play(Stage stage) throws InterruptedException {
    int dying = Math.max(2, stage.extent().messages() / ONE_IN);
    WorkerProcess worker = stage.start(stage.orders()).awaitUp();
    stage.place().full(Store.DEAD_LETTERS, true);
    stage.outage("dead-letter store full");
    stage.place().work().publish(dying, Task.Kind.REJECT);
    stage.place().work().publish(Math.max(1, stage.extent().messages() - dying), Task.Kind.OK);
    boolean healthy = Waiting.until(LIMIT, () -> healthyAreDone(stage));
    if (!healthy) {
      stage.breach(
          Promise.OUTAGES_KILL_NOTHING,
          "healthy work did not go on while the dead-letter store was full",
          stage.place().consumer().getNumPending() + " were waiting");
    }
    Waiting.pass(stage.place().ackWait().multipliedBy(OUTAGE_TIMES_ACK_WAIT));
    long again = stage.place().consumer().getRedelivered();
    if (again > 0 && !stage.stoodStill()) {
      stage.breach(
          Promise.OUTAGES_KILL_NOTHING,
          "messages were delivered again while the dead-letter store was full",
          again + " of " + dying + " that were dying");
    }
    stage.place().full(Store.DEAD_LETTERS, false);
    stage.outageOver("room made");
    if (!worker.isAlive()) {
      stage.note("The worker ended by itself.");
    }
  }

  private static boolean healthyAreDone(Stage stage) throws InterruptedException {
    SequenceSet completed = stage.reader().completed();
    return stage.place().published().stream()
        .filter(work -> !work.isToDie())
        .allMatch(work -> completed.contains(work.sequence()));
  }

  /** Each death tells after how many deliveries it came. */
  @Override
  public void check(Stage stage) throws InterruptedException {
    List<Letter> risen =
        stage.reader().letters(new ArrayList<>()).values().stream()
            .filter(letter -> letter.deliveries() > 1)
            .toList();
    if (!risen.isEmpty() && !stage.stoodStill()) {
      stage.breach(
          Promise.OUTAGES_KILL_NOTHING,
          risen.size() + " delivery counts rose while the dead-letter store was full",
          "sequence " + risen.get(0).sequence() + " was delivered " + risen.get(0).deliveries());
    }
  }
}
