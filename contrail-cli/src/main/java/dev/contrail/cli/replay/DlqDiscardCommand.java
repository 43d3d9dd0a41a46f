package dev.contrail.cli.replay;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Yes;
import dev.contrail.event.Step;
import dev.contrail.operations.replay.Decisions;
import dev.contrail.operations.replay.Standing;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code contrail dlq discard}: closes dead letters that are to stay as they are. */
@Command(
    name = "discard",
    header = "Close dead letters that nobody need care for, with a reason",
    customSynopsis =
        "@|bold contrail dlq discard|@ (ID… | --group FINGERPRINT | FILTERS | --all) --because TEXT"
            + " [OPTIONS]",
    description =
        "Closes dead letters that are not to be replayed. They are kept; contrail dlq restore opens"
            + " them again.",
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail dlq discard ORDERS.billing.ho77nadw1d.42 --because \"a test order\"",
      "  contrail dlq discard --group 3f9ac01d22b7e5a4 --because \"customer is gone\" --yes"
    })
final class DlqDiscardCommand implements Callable<Integer> {
  private final Tools tools;

  @Mixin private final ChoiceOptions choice = new ChoiceOptions();
  @Mixin private final Person person = new Person();
  @Mixin private final Yes yes = new Yes();

  @Option(
      names = "--because",
      paramLabel = "TEXT",
      required = true,
      description = "why you discard them, for the history (--reason is what they died for)")
  @SuppressWarnings("NullAway.Init")
  private String reason;

  @Option(
      names = "--force",
      fallbackValue = "true",
      description = "discard also those that were replayed and whose outcome is not known")
  private boolean force;

  DlqDiscardCommand(Tools tools) {
    this.tools = tools;
  }

  @Override
  public Integer call() throws InterruptedException {
    choice.isByIdOrRequired();
    if (reason.isBlank()) {
      throw CommandFailure.usage("--because: '" + reason + "' is no reason; accepted is any text");
    }
    try (Session session = tools.sessions().get()) {
      Decisions decisions = tools.decisions(session, person.name(), force);
      Choice<Standing> chosen = choice.standings(tools, tools.selections(session));
      List<Standing> legal = DecisionRun.legal(chosen, decisions, Step.Kind.DISCARDED);
      if (!chosen.byId()
          && !legal.isEmpty()
          && !yes.asked(
              tools.surroundings(),
              "Discard " + DecisionRun.count(legal.size()) + ", " + chosen.inWords() + "?")) {
        tools.say("nothing was discarded");
        return ExitCode.FAILED;
      }
      return new DecisionRun(tools, "discarding", "discarded")
          .run(chosen, legal, it -> decisions.discard(it.summary().id(), reason.strip()));
    }
  }
}
