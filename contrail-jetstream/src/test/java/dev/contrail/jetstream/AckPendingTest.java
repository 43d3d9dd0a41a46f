package dev.contrail.jetstream;

import static org.awaitility.Awaitility.await;

import dev.contrail.RetryAfterException;
import dev.contrail.server.NatsServerBinary;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Messages that wait for their retry may use up what the consumer allows. */
@OnEveryServer
class AckPendingTest {
  private final NatsServerBinary binary;

  AckPendingTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @Test
  void it_is_told_when_half_and_when_all_of_max_ack_pending_is_used_up_and_when_it_is_over()
      throws Exception {
    Set<ConsumerNotice.Kind> told = ConcurrentHashMap.newKeySet();
    try (Workplace workplace = Workplace.workqueue(Servers.shared(binary));
        ContrailConsumer consumer =
            workplace
                .consumer()
                .maxAckPending(10)
                .options(options -> options.patrol = Duration.ofMillis(200))
                .onNotice(notice -> told.add(notice.kind()))
                .handler(
                    delivery -> {
                      if (delivery.deliveryCount() == 1) {
                        throw new RetryAfterException(Duration.ofSeconds(5));
                      }
                    })
                .start()) {
      workplace.publish(6, "work");
      await()
          .atMost(Workplace.SOON)
          .until(() -> told.contains(ConsumerNotice.Kind.ACK_PENDING_HIGH));

      workplace.publish(6, "work");
      await()
          .atMost(Workplace.SOON)
          .until(() -> told.contains(ConsumerNotice.Kind.ACK_PENDING_FULL));

      await()
          .atMost(Workplace.SOON)
          .until(() -> told.contains(ConsumerNotice.Kind.ACK_PENDING_FINE));
    }
  }
}
