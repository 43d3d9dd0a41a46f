package dev.contrail.cli.replay;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.evidence.DeadLetterId;

/** Reads ids of dead letters as people type them. */
final class Ids {
  private Ids() {}

  /**
   * Reads one.
   *
   * @throws CommandFailure when it is none
   */
  static DeadLetterId parse(String text) {
    try {
      return DeadLetterId.parse(text.strip());
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()), e);
    }
  }

  static CommandFailure unknown(DeadLetterId id) {
    return CommandFailure.usage("there is no dead letter " + id + "; contrail dlq ls lists them");
  }
}
