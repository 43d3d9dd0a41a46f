package dev.contrail.operations.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.operations.TestServer;
import io.nats.client.Message;
import io.nats.client.api.RetentionPolicy;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** However many large messages the server tells of at once, few of them are in memory. */
@Tag("slow")
class LargeMessagesTest {
  private static final int MESSAGES = 256;
  private static final int MEGABYTES = 128;

  @Test
  void a_guard_with_little_memory_copies_them_all() throws Exception {
    try (Beat beat = Beat.on(TestServer.binaries().get(0))) {
      beat.place.addStream("ORDERS", RetentionPolicy.WorkQueue);
      beat.durable("ORDERS", "billing", 1);
      byte[] large = new byte[1_000_000];
      for (int i = 0; i < MESSAGES; i++) {
        beat.place.jetStream.publish("ORDERS.new", large);
      }
      beat.giveUp("ORDERS", "billing", Message::nak, MESSAGES);

      try (GuardProcess guard =
          new GuardProcess(List.of(beat.place.server.url(), GuardFault.NONE.name()), MEGABYTES)) {
        await()
            .atMost(Beat.SOON)
            .untilAsserted(
                () -> {
                  assertThat(guard.isAlive()).as("has enough memory").isTrue();
                  assertThat(beat.stored("ORDERS")).isZero();
                });
      }
      assertThat(beat.letterIds()).hasSize(MESSAGES);
    }
  }
}
