package dev.contrail.cli.drill.scenario;

import dev.contrail.cli.drill.account.Promise;
import dev.contrail.cli.drill.account.Run;
import dev.contrail.cli.drill.place.Waiting;
import dev.contrail.cli.drill.place.WorkerProcess;
import dev.contrail.cli.drill.worker.RunLine.What;
import dev.contrail.cli.drill.worker.Task;
import dev.contrail.cli.drill.worker.WorkerOrders;
import dev.contrail.jetstream.Store;
import java.time.Duration;
import java.util.List;

/** The ledger takes nothing while work is done, and then does again. */
final class LedgerScript implements Script {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int OUTAGE_TIMES_ACK_WAIT = 2;

  @Override
  public void play(Stage stage) throws InterruptedException {
    int messages = Math.max(8, stage.extent().messages());
    WorkerOrders orders = stage.orders().taking(Duration.ofMillis(40));
    stage.place().work().publish(messages, Task.Kind.OK);
    WorkerProcess worker = stage.start(orders);
    int some = 1 + stage.random().nextInt(messages / 4);
    Waiting.require(LIMIT, "a handler to begin", () -> runs(worker) >= some || !worker.isAlive());
    stage.place().full(Store.LEDGER, true);
    stage.outage("ledger takes nothing");
    boolean noticed =
        Waiting.until(
            LIMIT,
            () ->
                worker.lines().stream()
                        .anyMatch(line -> line.what() == What.NOTICE && isDown(line.detail()))
                    || stage.place().isSettled());
    if (!noticed) {
      stage.note("The worker did not say that its ledger is down.");
    }
    Waiting.pass(stage.place().ackWait().multipliedBy(OUTAGE_TIMES_ACK_WAIT));
    long again = stage.place().consumer().getRedelivered();
    stage.place().full(Store.LEDGER, false);
    stage.outageOver("ledger takes records again");
    if (again > 0 && !stage.stoodStill()) {
      stage.breach(
          Promise.OUTAGES_KILL_NOTHING,
          "messages were delivered again while the ledger was down",
          again + " of " + messages);
    }
  }

  private static boolean isDown(String notice) {
    return notice.equals("STORE_DOWN");
  }

  private static long runs(WorkerProcess worker) {
    return worker.lines().stream().filter(line -> line.what() == What.START).count();
  }

  @Override
  public void check(Stage stage) {
    List<Run> risen = stage.reader().runs().stream().filter(run -> run.delivery() > 1).toList();
    if (!risen.isEmpty() && !stage.stoodStill()) {
      stage.breach(
          Promise.OUTAGES_KILL_NOTHING,
          risen.size() + " delivery counts rose while the ledger was down",
          "number " + risen.get(0).number() + " was run on delivery " + risen.get(0).delivery());
    }
  }
}
