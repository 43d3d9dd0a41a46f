package dev.contrail.cli.drill.scenario;

import dev.contrail.cli.drill.account.Facts;
import dev.contrail.cli.drill.account.Run;
import dev.contrail.cli.drill.place.Waiting;
import dev.contrail.cli.drill.place.WorkerProcess;
import dev.contrail.cli.drill.report.ScenarioResult;
import dev.contrail.cli.drill.report.Timing;
import dev.contrail.cli.drill.worker.Point;
import dev.contrail.cli.drill.worker.RunLine;
import dev.contrail.cli.drill.worker.RunLine.What;
import dev.contrail.cli.drill.worker.Task;
import dev.contrail.cli.drill.worker.WorkerOrders;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Workers without Contrail's order of steps, and what they are drilled with. */
public enum Naive {
  TERM_FIRST(
      Scenario.EVIDENCE,
      WorkerOrders.Role.TERM_FIRST,
      "A bare client that terminates a message and then publishes its dead letter, killed between"
          + " the two."),
  ACK_FIRST(
      Scenario.ACK,
      WorkerOrders.Role.ACK_FIRST,
      "A bare client that acknowledges a message and then works, killed while it works."),
  TTL(
      Scenario.DOWNTIME,
      WorkerOrders.Role.TTL,
      "A bare client that marks what is done with a key that expires, killed before the ack and"
          + " down for longer.");

  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final Scenario scenario;
  private final WorkerOrders.Role role;
  private final String what;

  Naive(Scenario scenario, WorkerOrders.Role role, String what) {
    this.scenario = scenario;
    this.role = role;
    this.what = what;
  }

  /** As it is named on the command line. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public Scenario scenario() {
    return scenario;
  }

  /** What it does wrong, in a sentence. */
  public String what() {
    return what;
  }

  private static boolean hasEnded(WorkerProcess worker) {
    return Run.of(1, false, worker.lines()).stream().allMatch(run -> run.end().isPresent());
  }

  ScenarioResult play(Stage stage) throws InterruptedException {
    Duration forget = stage.place().ackWait().multipliedBy(DowntimeScript.TTL_TIMES_ACK_WAIT);
    stage.place().makeNaiveStores(forget);
    long ackWait = stage.place().ackWait().toMillis();
    stage.timing(new Timing(ackWait, ackWait, this == TTL ? forget.toMillis() : Timing.NOT_KNOWN));
    WorkerOrders orders = stage.place().orders(role, 1, Duration.ofMillis(20));
    int messages = Math.max(6, stage.extent().messages() / 4);
    Map<Long, Long> recorded = new HashMap<>();
    switch (this) {
      case TERM_FIRST -> {
        stage.place().work().publish(messages, Task.Kind.OK);
        stage.place().work().publish(messages / 2, Task.Kind.REJECT);
        var unused = stage.killAt(orders, Point.BEFORE_EVIDENCE, 1);
      }
      case ACK_FIRST -> {
        stage.place().work().publish(messages, Task.Kind.OK);
        WorkerProcess worker = stage.start(orders.taking(Duration.ofSeconds(10)));
        Waiting.require(LIMIT, "a handler to begin", () -> worker.first(What.START).isPresent());
        // It works on what it has acknowledged.
        stage.kill(worker, "while its handler ran");
      }
      case TTL -> {
        stage.place().work().publish(messages, Task.Kind.OK);
        int nth = 1 + stage.random().nextInt(messages);
        var unused = stage.killAt(orders, Point.AFTER_RECORD, nth);
        RunLine last =
            stage.crew().all().get(0).lines().stream()
                .filter(line -> line.what() == What.DONE)
                .reduce((first, second) -> second)
                .orElseThrow();
        // Confirmed as noted before the ack was about to go out.
        recorded.put(
            last.sequence(), stage.crew().all().get(0).first(What.AT).orElseThrow().micros());
        Duration down = stage.place().ackWait().multipliedBy(DowntimeScript.TIMES_ACK_WAIT);
        Waiting.pass(down);
        stage.step("down for longer than the key lives");
      }
    }
    WorkerProcess last = stage.start(orders);
    boolean settled = stage.awaitSettled();
    // What it has acknowledged it may still be working on.
    Waiting.require(LIMIT, "what it works on to end", () -> hasEnded(last));
    stage.drain();
    Facts facts = stage.reader().readNaive(settled, recorded);
    return stage.result(text(), scenario.title() + ", " + text(), what, facts);
  }
}
