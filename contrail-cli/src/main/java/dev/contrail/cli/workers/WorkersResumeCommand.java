package dev.contrail.cli.workers;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.replay.Person;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.report.PauseOrder;
import dev.contrail.jetstream.report.PauseScope;
import dev.contrail.operations.view.WorkerFields;
import dev.contrail.operations.workers.Pauses;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code contrail workers resume}: ends a pause. */
@Command(
    name = "resume",
    header = "Let workers go on that were told to pause",
    customSynopsis =
        "@|bold contrail workers resume|@ STREAM [CONSUMER] [--worker NAME] [--all] [OPTIONS]",
    description = {
      "Ends the pause of just that stream, consumer or worker. A worker goes on when no pause is"
          + " left that it is among: those are listed."
    },
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail workers resume ORDERS billing",
      "  contrail workers resume ORDERS --all"
    })
final class WorkersResumeCommand implements Callable<Integer> {
  private final WorkersTools tools;

  @Mixin private final Whom whom = new Whom();
  @Mixin private final Person person = new Person();

  @Option(names = "--all", description = "end the pauses within it too, of consumers and workers")
  private boolean all;

  WorkersResumeCommand(WorkersTools tools) {
    this.tools = tools;
  }

  @Override
  public Integer call() {
    PauseScope scope = whom.scope();
    Predicate<PauseOrder> meant =
        order -> order.scope().equals(scope) || (all && isWithin(order.scope(), scope));
    List<PauseOrder> ended;
    List<PauseOrder> left;
    try (Session session = tools.sessions().get()) {
      Pauses pauses = tools.pauses(session);
      List<PauseOrder> standing = pauses.standing();
      ended = standing.stream().filter(meant).toList();
      end(pauses, ended);
      left =
          standing.stream()
              .filter(meant.negate())
              .filter(it -> isWithin(it.scope(), scope) || isWithin(scope, it.scope()))
              .toList();
    }
    if (tools.json().getAsBoolean()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("ended", ended.stream().map(WorkerFields::of).toList());
      fields.put("left", left.stream().map(WorkerFields::of).toList());
      Json.write(tools.surroundings().out(), fields);
    } else {
      print(scope, ended, left);
    }
    return ExitCode.FINE;
  }

  private void end(Pauses pauses, List<PauseOrder> orders) {
    for (int i = 0; i < orders.size(); i++) {
      try {
        pauses.resume(orders.get(i).scope(), person.name());
      } catch (ContrailException e) {
        // What ended before it stays ended, and whoever asked has to know.
        if (i > 0) {
          tools.note("resumed are " + scopes(orders.subList(0, i)));
        }
        tools.note("still paused are " + scopes(orders.subList(i, orders.size())));
        throw e;
      }
    }
  }

  private static String scopes(List<PauseOrder> orders) {
    return orders.stream().map(it -> it.scope().toString()).collect(Collectors.joining(", "));
  }

  private void print(PauseScope scope, List<PauseOrder> ended, List<PauseOrder> left) {
    Instant now = Clock.systemUTC().instant();
    if (ended.isEmpty()) {
      tools.say(scope + " was not paused.");
    }
    ended.forEach(it -> tools.say("Ended: " + WorkersTools.words(it, now) + "."));
    left.forEach(
        it ->
            tools.note(
                WorkersTools.sentence(it, now)
                    + "; that goes on until: "
                    + WorkersTools.resume(it.scope())));
  }

  private static boolean isWithin(PauseScope inner, PauseScope outer) {
    return inner.stream().equals(outer.stream())
        && (outer.consumer().isEmpty() || outer.consumer().equals(inner.consumer()))
        && (outer.worker().isEmpty() || outer.worker().equals(inner.worker()));
  }
}
