package dev.contrail.cli.workers;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.replay.Person;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.report.PauseOrder;
import dev.contrail.jetstream.report.PauseScope;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.operations.view.WorkerFields;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code contrail workers pause}: has workers take no more messages. */
@Command(
    name = "pause",
    header = "Have workers take no more messages, until they are told to go on",
    customSynopsis =
        "@|bold contrail workers pause|@ STREAM [CONSUMER] [--worker NAME] [--because TEXT]"
            + " [OPTIONS]",
    description = {
      "Workers follow within a second or two: what they run is finished, what they hold they keep,"
          + " and take nothing new. A pause stands until it is ended, also for workers that start"
          + " later.",
      "Without CONSUMER it is for all workers of the stream. Consumers that are not Contrail's take"
          + " no notice."
    },
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail workers pause ORDERS billing --because 'the bank is down'",
      "  contrail workers pause ORDERS billing --worker 17@host"
    })
final class WorkersPauseCommand implements Callable<Integer> {
  private final WorkersTools tools;

  @Mixin private final Whom whom = new Whom();
  @Mixin private final Person person = new Person();

  @Option(
      names = "--because",
      paramLabel = "TEXT",
      converter = Because.class,
      description = "why, for whoever wonders")
  private String because = "";

  WorkersPauseCommand(WorkersTools tools) {
    this.tools = tools;
  }

  @Override
  public Integer call() {
    PauseScope scope = whom.scope();
    PauseOrder order;
    OptionalInt workers;
    try (Session session = tools.sessions().get()) {
      check(new JetStreamServer(session.connection(), session.jetStream()), scope);
      order = tools.pauses(session).pause(scope, person.name(), because);
      workers = workers(session, scope);
    }
    if (tools.json().getAsBoolean()) {
      Map<String, Object> fields = WorkerFields.of(order);
      fields.put("workers", workers.isPresent() ? workers.getAsInt() : null);
      Json.write(tools.surroundings().out(), fields);
    } else {
      tools.say(
          scope
              + " is paused: "
              + (workers.isPresent()
                  ? count(workers.getAsInt())
                  : "its workers cannot be seen, and follow within seconds")
              + ". It goes on with: "
              + WorkersTools.resume(scope));
    }
    return ExitCode.FINE;
  }

  /** How many it is for. Empty where that cannot be seen: the pause stands all the same. */
  private OptionalInt workers(Session session, PauseScope scope) {
    try {
      return OptionalInt.of(WorkersTools.workers(session).look().among(scope).size());
    } catch (ContrailException e) {
      tools.note(String.valueOf(e.getMessage()));
      return OptionalInt.empty();
    }
  }

  private static String count(int workers) {
    return switch (workers) {
      case 0 -> "no worker at the moment, and none that starts takes messages";
      case 1 -> "one worker, which follows within seconds";
      default -> workers + " workers, which follow within seconds";
    };
  }

  private static void check(JetStreamServer server, PauseScope scope) {
    if (server.stream(scope.stream()).isEmpty()) {
      throw CommandFailure.usage("there is no stream " + scope.stream());
    }
    scope
        .consumer()
        .filter(it -> server.consumer(scope.stream(), it).isEmpty())
        .ifPresent(
            it -> {
              throw CommandFailure.usage("the stream " + scope.stream() + " has no consumer " + it);
            });
  }

  static final class Because implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (text.length() > PauseOrder.LONGEST_REASON) {
        throw new BadValueException(
            "the reason has "
                + text.length()
                + " characters; accepted are up to "
                + PauseOrder.LONGEST_REASON);
      }
      return text.strip();
    }
  }
}
