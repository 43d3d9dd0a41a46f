package dev.contrail.cli.doctor;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.command.YesOrNo;
import java.nio.charset.StandardCharsets;
import java.util.Scanner;
import org.jspecify.annotations.Nullable;

/** Asks a person on a terminal. */
final class Questions {
  private final Surroundings surroundings;
  private @Nullable Scanner input;

  Questions(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /**
   * The answer that was given, or that of the person.
   *
   * @param flag which gives it
   * @throws CommandFailure when there is nobody to ask
   */
  boolean ask(@Nullable Boolean given, String flag, String question) {
    if (given != null) {
      return given;
    }
    if (!surroundings.terminal().errIsTerminal()) {
      throw CommandFailure.usage(question + " There is nobody to ask here; answer with " + flag);
    }
    if (input == null) {
      input = new Scanner(System.in, StandardCharsets.UTF_8);
    }
    while (true) {
      surroundings.err().print(question + " [yes/no] ");
      surroundings.err().flush();
      if (!input.hasNextLine()) {
        throw CommandFailure.usage("there was no answer; answer with " + flag);
      }
      String line = input.nextLine().strip();
      try {
        return YesOrNo.parse(line.equalsIgnoreCase("y") ? "yes" : shortNo(line));
      } catch (BadValueException neither) {
        surroundings.err().println("Please say yes or no.");
      }
    }
  }

  private static String shortNo(String line) {
    return line.equalsIgnoreCase("n") ? "no" : line;
  }
}
