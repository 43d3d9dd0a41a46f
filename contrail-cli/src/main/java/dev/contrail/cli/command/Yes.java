package dev.contrail.cli.command;

import picocli.CommandLine.Option;

/** Consent beforehand, for commands where {@code --force} means something else. */
public final class Yes {
  @Option(
      names = {"-y", "--yes"},
      fallbackValue = "true",
      description = "do not ask")
  private boolean given;

  /**
   * Asks, unless it was given.
   *
   * @param question for a person to say yes or no to
   * @return whether to go on
   * @throws CommandFailure when there is nobody to ask
   */
  public boolean asked(Surroundings surroundings, String question) {
    return given || Consent.asked(question, surroundings);
  }
}
