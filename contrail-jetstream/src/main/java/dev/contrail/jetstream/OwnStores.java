package dev.contrail.jetstream;

import io.nats.client.Connection;
import java.time.Duration;
import java.util.Set;

/** The stores of Contrail's own that a worker needs. */
final class OwnStores {
  private final Set<Store> needed;
  private final Provisioning provisioning;

  OwnStores(Connection connection, ConsumerOptions options, int sourceReplicas) {
    this.needed = options.ledger.stores();
    InitPlan usual = InitPlan.of(options.names);
    Duration window = options.policy.retry().retryWindow();
    // All consumers share the bucket: one that is impatient must not make others forget.
    InitPlan plan =
        window.compareTo(usual.retryWindow()) > 0 ? usual.withRetryWindow(window) : usual;
    this.provisioning =
        new Provisioning(connection, options.jetStream, plan, options.provision)
            .withAtLeastReplicas(options.fewerReplicas ? 1 : sourceReplicas);
  }

  /**
   * Makes what is missing, if that is allowed, and checks what is there.
   *
   * @throws ContrailException when something is missing or unfit
   */
  void ensure() {
    provisioning.ensure(needed);
  }
}
