package dev.contrail.cli.workers;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.NatsNames;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.output.Json;
import dev.contrail.operations.view.WorkerFields;
import dev.contrail.operations.workers.Roll;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code contrail workers ls}: what workers are doing. */
@Command(
    name = "ls",
    header = "List workers and what they are doing",
    customSynopsis = "@|bold contrail workers ls|@ [STREAM [CONSUMER]] [OPTIONS]",
    description = {
      "Lists the workers that told of themselves in the last 30 s: what they do a second, what they"
          + " have in flight, what holds them up, and what they try again, by what it fails of.",
      "One that was killed is listed until then."
    },
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail workers ls",
      "  contrail workers ls ORDERS billing --json"
    })
final class WorkersLsCommand implements Callable<Integer> {
  private final WorkersTools tools;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "STREAM",
      converter = NatsNames.Name.class,
      description = "only workers of this stream")
  private @Nullable String stream;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "CONSUMER",
      converter = NatsNames.Name.class,
      description = "only workers of this consumer")
  private @Nullable String consumer;

  WorkersLsCommand(WorkersTools tools) {
    this.tools = tools;
  }

  @Override
  public Integer call() {
    Roll roll;
    try (Session session = tools.sessions().get()) {
      roll =
          WorkersTools.workers(session)
              .look()
              .of(Optional.ofNullable(stream), Optional.ofNullable(consumer));
    }
    if (tools.json().getAsBoolean()) {
      Json.write(tools.surroundings().out(), WorkerFields.of(roll));
    } else {
      new WorkersText(tools, Clock.systemUTC().instant()).print(roll);
    }
    return ExitCode.FINE;
  }
}
