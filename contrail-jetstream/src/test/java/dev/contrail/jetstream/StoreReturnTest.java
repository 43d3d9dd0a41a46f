package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.RejectedMessageException;
import dev.contrail.jetstream.ConsumerNotice.Kind;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A dead-letter store that comes back is not flooded: the leases of those that wait are kept. */
@Tag("slow")
@OnEveryServer
class StoreReturnTest {
  private static final int MESSAGES = 200;
  private static final int SIZE = 512 * 1024;
  private static final long BYTES_PER_SECOND = 12 << 20;

  private final NatsServerBinary binary;
  private final Queue<Kind> notices = new ConcurrentLinkedQueue<>();
  private Workplace workplace;

  StoreReturnTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    workplace = Workplace.workqueue(Servers.shared(binary));
  }

  @AfterEach
  void close() {
    workplace.close();
  }

  @Test
  void large_messages_that_waited_for_the_store_die_without_losing_their_lease() throws Exception {
    workplace.provision();
    StreamConfiguration open = deadLetterStream();
    workplace.management.updateStream(StreamConfiguration.builder(open).maxBytes(1).build());
    workplace.publish(MESSAGES, "x".repeat(SIZE));
    try (Cable cable = Cable.slow(workplace.server.port(), BYTES_PER_SECOND);
        Connection slow = Contrail.connect(cable.url());
        ContrailConsumer consumer =
            Contrail.consumer(slow, workplace.stream, "worker")
                .prefix(workplace.names.prefix())
                .withoutLedger()
                .ackWait(Duration.ofSeconds(4))
                .windowBytes(2L * MESSAGES * SIZE)
                .onNotice(notice -> notices.add(notice.kind()))
                .handler(
                    delivery -> {
                      throw new RejectedMessageException("told to");
                    })
                .start()) {
      await().atMost(Workplace.SOON).until(() -> consumer.status().held() == MESSAGES);

      workplace.management.updateStream(open);
      await().atMost(Duration.ofSeconds(90)).until(() -> workplace.messages() == 0);

      assertThat(consumer.status().counts().lost()).as("leases lost").isZero();
      assertThat(workplace.consumerInfo().getDelivered().getConsumerSequence())
          .as("deliveries in all")
          .isEqualTo(MESSAGES);
    }
    assertThat(workplace.deadLetterCount()).isEqualTo(MESSAGES);
    assertThat(notices).doesNotContain(Kind.LEASE_LOST).containsOnlyOnce(Kind.STORE_DOWN);
  }

  private StreamConfiguration deadLetterStream() throws Exception {
    return workplace
        .management
        .getStreamInfo(workplace.names.deadLetterStream())
        .getConfiguration();
  }
}
