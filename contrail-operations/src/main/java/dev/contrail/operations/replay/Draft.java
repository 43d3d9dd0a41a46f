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
   * @param newestVersion of its payload, which need not be the one that would be published
   */
  public record Planned(
      PlanEntry entry,
      String subject,
      String stream,
      Optional<String> consumer,
      String messageId,
      long bytes,
      Outlook outlook,
      int newestVersion) {
    /** Whether it was edited after the version that would be published. */
    public boolean isOlder() {
      return entry.version() < newestVersion;
    }
  }

  /** A dead letter that would not be replayed, and why. */
  public record LeftOut(DeadLetterId id, String why) {}
}
