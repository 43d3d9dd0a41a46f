package dev.contrail.operations.replay;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import dev.contrail.operations.lease.LeaderLease;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;

/**
 * Keeps two from running a plan at once. What makes a plan safe is that each of its steps is
 * written once; this saves two operators from wondering where half of their entries went.
 */
final class PlanLease implements AutoCloseable {
  private final LeaderLease lease;

  private PlanLease(LeaderLease lease) {
    this.lease = lease;
  }

  /**
   * Takes it, or tells who has it.
   *
   * @param takeOver whether to take it from whoever has it
   * @throws ContrailException when another process runs the plan, or the bucket cannot be used
   */
  static PlanLease take(
      Connection connection,
      JetStreamOptions options,
      Names names,
      String plan,
      String by,
      boolean takeOver) {
    LeaderLease lease = LeaderLease.of(connection, options, names, "plan." + plan, by);
    try {
      if (takeOver) {
        lease.takeOver();
      } else if (!lease.tryTake()) {
        throw new ContrailException(
            "Plan "
                + plan
                + " is being run by "
                + lease.other().orElse("somebody else")
                + "; if that process died, this will be possible half a minute after, or with"
                + " --force.");
      }
      return new PlanLease(lease);
    } catch (RuntimeException e) {
      lease.close();
      throw e;
    }
  }

  /** Whether another process runs the plan by now. */
  boolean isLost() {
    return lease.other().isPresent();
  }

  @Override
  public void close() {
    lease.close();
  }
}
