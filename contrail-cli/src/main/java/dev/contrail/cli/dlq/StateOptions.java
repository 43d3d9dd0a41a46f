package dev.contrail.cli.dlq;

import dev.contrail.cli.command.HelpGroup;
import dev.contrail.event.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** How it stands with the dead letters that are meant. */
@HelpGroup(heading = "Which dead letters", order = 10)
public final class StateOptions {
  @Option(
      names = "--state",
      paramLabel = "STATE",
      split = ",",
      converter = TriageOptions.StateValue.class,
      description =
          "only in this state: open, replaying, replayed, resolved, returned, completed,"
              + " discarded or purged; repeatable (all)")
  private List<Status> states = new ArrayList<>();

  /** Empty where all are meant. */
  public List<Status> states() {
    return states;
  }

  /** Such as {@code in state open}; empty where all are meant. */
  public String inWords() {
    return states.isEmpty()
        ? ""
        : " in state " + states.stream().map(Status::text).collect(Collectors.joining(" or "));
  }
}
