package dev.contrail.cli.replay;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.redaction.Blanks;
import dev.contrail.redaction.Redaction;

/** What was blanked out of a dead letter must not go out as if somebody had sent the mark. */
final class Marks {
  private Marks() {}

  /**
   * Refuses a payload for one that was stored without all of it.
   *
   * @throws CommandFailure when something is still blank in the payload
   */
  static void refuse(DeadLetterId id, byte[] payload) {
    if (Blanks.isMarked(payload)) {
      throw CommandFailure.usage(
          "the payload still holds "
              + Redaction.MARK
              + " where something was blanked out before "
              + id
              + " was stored; put in what belongs there, or take it as it is with --force");
    }
  }
}
