package dev.contrail.cli.replay;

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

/** {@code contrail dlq restore}: opens dead letters again. */
@Command(
    name = "restore",
    header = "Open dead letters again that were discarded",
    customSynopsis =
        "@|bold contrail dlq restore|@ (ID… | --group FINGERPRINT | FILTERS | --all) [OPTIONS]",
    description = "Opens dead letters again that were discarded or found to be completed.",
    footer = {"", "@|bold Example|@", "  contrail dlq restore ORDERS.billing.ho77nadw1d.42"})
final class DlqRestoreCommand implements Callable<Integer> {
  private final Tools tools;

  @Mixin private final ChoiceOptions choice = new ChoiceOptions();
  @Mixin private final Person person = new Person();
  @Mixin private final Yes yes = new Yes();

  @Option(
      names = "--force",
      fallbackValue = "true",
      description = "restore also those that are resolved: to replay them does the work twice")
  private boolean force;

  DlqRestoreCommand(Tools tools) {
    this.tools = tools;
  }

  @Override
  public Integer call() throws InterruptedException {
    choice.isByIdOrRequired();
    try (Session session = tools.sessions().get()) {
      Decisions decisions = tools.decisions(session, person.name(), force);
      Choice<Standing> chosen = choice.standings(tools, tools.selections(session));
      List<Standing> legal = DecisionRun.legal(chosen, decisions, Step.Kind.RESTORED);
      if (!chosen.byId()
          && !legal.isEmpty()
          && !yes.asked(
              tools.surroundings(),
              "Restore " + DecisionRun.count(legal.size()) + ", " + chosen.inWords() + "?")) {
        tools.say("nothing was restored");
        return ExitCode.FAILED;
      }
      return new DecisionRun(tools, "restoring", "restored")
          .run(chosen, legal, it -> decisions.restore(it.summary().id()));
    }
  }
}
