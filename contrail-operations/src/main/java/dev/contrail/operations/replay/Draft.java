package dev.contrail.operations.replay;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.plan.Outlook;
import dev.contrail.plan.PlanEntry;
import java.util.List;
import java.util.Optional;

/**
 * What a plan would do.
 *
 * @param warnings sentences on what else would happen
 */
public record Draft(List<Planned> planned, List<LeftOut> leftOut, List<String> warnings) {
  /**
   * A copy that would be published.
   *
   * @param messageId under which
   * @param bytes of the payload
   */
  public record Planned(
      PlanEntry entry,
      String subject,
      String stream,
      Optional<String> consumer,
      String messageId,
      long bytes,
      Outlook outlook) {}

  /** A dead letter that would not be replayed, and why. */
  public record LeftOut(DeadLetterId id, String why) {}
}
