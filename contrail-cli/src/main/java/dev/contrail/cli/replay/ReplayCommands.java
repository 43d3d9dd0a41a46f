package dev.contrail.cli.replay;

import picocli.CommandLine;

/** The commands of this package. */
public final class ReplayCommands {
  private ReplayCommands() {}

  /** Adds them to {@code contrail dlq}. */
  public static void addTo(CommandLine dlq, Tools tools) {
    dlq.addSubcommand(new DlqReplayCommand(tools));
    dlq.addSubcommand(plans(tools));
    dlq.addSubcommand(new DlqEditCommand(tools));
    dlq.addSubcommand(new DlqDiscardCommand(tools));
    dlq.addSubcommand(new DlqRestoreCommand(tools));
    dlq.addSubcommand(new DlqNoteCommand(tools));
    dlq.addSubcommand(new DlqPurgeCommand(tools));
  }

  private static CommandLine plans(Tools tools) {
    CommandLine plans = new CommandLine(new DlqPlansCommand());
    plans.addSubcommand(new PlansLsCommand(tools));
    plans.addSubcommand(new PlansShowCommand(tools));
    plans.addSubcommand(new PlansResumeCommand(tools));
    plans.addSubcommand(new PlansCancelCommand(tools));
    return plans;
  }
}
