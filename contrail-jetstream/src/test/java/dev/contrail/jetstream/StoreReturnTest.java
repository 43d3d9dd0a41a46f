package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.RejectedMessageException;
import dev.contrail.jetstream.ConsumerNotice.Kind;
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
class StoreReturnTest {
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final int MESSAGES = 200;
  private static final int SIZE = 512 * 1024;
  private static final long BYTES_PER_SECOND = 6 << 20;

  /** All of them together take longer on their way. */
  private static final Duration ACK_WAIT = Duration.ofSeconds(10);

  private final Queue<Kind> notices = new ConcurrentLinkedQueue<>();
  private Workplace workplace;

  @BeforeEach
  void open() throws Exception {
    workplace = Workplace.workqueue(Servers.shared(Servers.newest()));
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
                .ackWait(ACK_WAIT)
                .windowBytes(2L * MESSAGES * SIZE)
                .onNotice(notice -> notices.add(notice.kind()))
                .handler(
                    delivery -> {
                      throw new RejectedMessageException("told to");
                    })
                .start()) {
      await().atMost(SOON).until(() -> consumer.status().held() == MESSAGES);
      long deliveries = deliveries();
      notices.clear();

      workplace.management.updateStream(open);
      await().atMost(SOON).until(() -> workplace.messages() == 0);

      assertThat(deliveries()).as("deliveries in all").isEqualTo(deliveries);
    }
    assertThat(workplace.deadLetterCount()).isEqualTo(MESSAGES);
    assertThat(notices).contains(Kind.STORE_BACK).doesNotContain(Kind.LEASE_LOST, Kind.STORE_DOWN);
  }

  private long deliveries() {
    return workplace.consumerInfo().getDelivered().getConsumerSequence();
  }

  private StreamConfiguration deadLetterStream() throws Exception {
    return workplace
        .management
        .getStreamInfo(workplace.names.deadLetterStream())
        .getConfiguration();
  }
}
