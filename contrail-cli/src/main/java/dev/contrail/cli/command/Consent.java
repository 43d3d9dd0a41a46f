package dev.contrail.cli.command;

import dev.contrail.operations.view.PlainText;
import java.nio.charset.StandardCharsets;
import java.util.Scanner;
import picocli.CommandLine.Option;

/** Whatever deletes, republishes or has work done again asks first, or needs to be told. */
public final class Consent {
  @Option(
      names = {"-y", "--yes", "-f", "--force"},
      fallbackValue = "true",
      description = "do not ask")
  private boolean given;

  /**
   * Asks, unless it was given.
   *
   * @param question for a person to say yes or no to; what in it is from outside cannot steer the
   *     terminal
   * @return whether to go on
   * @throws CommandFailure when there is nobody to ask
   */
  public boolean asked(Surroundings surroundings, String question) {
    return given || asked(question, surroundings);
  }

  /**
   * Asks.
   *
   * @param question for a person to say yes or no to; what in it is from outside cannot steer the
   *     terminal
   * @return whether the answer was yes
   * @throws CommandFailure when there is nobody to ask
   */
  static boolean asked(String question, Surroundings surroundings) {
    String plain = PlainText.of(question);
    if (!surroundings.terminal().errIsTerminal()) {
      throw CommandFailure.usage(
          plain + " There is nobody to ask here; --yes does it without asking");
    }
    surroundings.err().print("contrail: " + plain + " [y/N] ");
    surroundings.err().flush();
    Scanner input = new Scanner(System.in, StandardCharsets.UTF_8);
    return input.hasNextLine() && input.nextLine().strip().matches("(?i)y|yes");
  }
}
