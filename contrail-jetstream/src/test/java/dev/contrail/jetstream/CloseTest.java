package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.RejectedMessageException;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a consumer ends. */
@OnEveryServer
class CloseTest {
  private final NatsServerBinary binary;
  private final Set<Long> done = ConcurrentHashMap.newKeySet();
  private NatsServer server;
  private Workplace workplace;

  CloseTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    server = NatsServer.builder().binary(binary).start();
    workplace = Workplace.workqueue(server);
  }

  @AfterEach
  void close() {
    workplace.close();
    server.close();
  }

  private ConsumerBuilder<byte[]> recording() {
    return workplace.consumer().handler(delivery -> done.add(delivery.sequence()));
  }

  @Test
  void closing_finishes_what_runs_and_returns_the_rest_at_once() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    workplace.publish(8, "work");
    ContrailConsumer consumer =
        workplace
            .consumer()
            .ackWait(Duration.ofMinutes(5))
            .concurrency(1)
            .drainTimeout(Duration.ofMillis(500))
            .handler(
                delivery -> {
                  running.countDown();
                  goOn.await();
                  done.add(delivery.sequence());
                })
            .start();
    running.await();
    consumer.close();
    assertThat(done).as("finished by a handler that was interrupted").isEmpty();

    // With AckWait at five minutes only what was returned comes again so soon.
    goOn.countDown();
    try (ContrailConsumer next = recording().ackWait(Duration.ofMinutes(5)).start()) {
      workplace.awaitEmpty();
    }
    assertThat(done).hasSize(8);
  }

  @Test
  void a_listener_may_close_and_what_runs_is_still_finished_and_acknowledged() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CompletableFuture<ContrailConsumer> consumer = new CompletableFuture<>();
    workplace.publish("slow");
    consumer.complete(
        workplace
            .consumer()
            .drainTimeout(Duration.ofSeconds(30))
            .onNotice(
                notice -> {
                  if (notice.kind() == ConsumerNotice.Kind.DEAD) {
                    consumer.join().close();
                  }
                })
            .handler(
                delivery -> {
                  if (delivery.sequence() == 1) {
                    running.countDown();
                    Workplace.work(Duration.ofMillis(500));
                    done.add(delivery.sequence());
                  } else {
                    running.await();
                    throw new RejectedMessageException("poison");
                  }
                })
            .start());
    workplace.publish("poison");

    assertThat(consumer.join().awaitClosed(Duration.ofSeconds(20))).as("closed in time").isTrue();
    assertThat(done).containsExactly(1L);
    workplace.awaitEmpty();
  }

  @Test
  void closing_lets_a_handler_finish_and_acknowledges_it() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    workplace.publish("work");
    ContrailConsumer consumer =
        workplace
            .consumer()
            .handler(
                delivery -> {
                  running.countDown();
                  Workplace.work(Duration.ofSeconds(1));
                  done.add(delivery.sequence());
                })
            .start();
    running.await();
    consumer.close();
    consumer.close();
    assertThat(done).hasSize(1);
    workplace.awaitEmpty();
    assertThat(consumer.awaitClosed(Duration.ZERO)).isTrue();
  }

  @Test
  void closing_does_not_wait_for_ever_for_a_handler_that_heeds_nothing() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch mercy = new CountDownLatch(1);
    workplace.publish("work");
    ContrailConsumer consumer =
        workplace
            .consumer()
            .ackWait(Duration.ofSeconds(1))
            .drainTimeout(Duration.ofMillis(100))
            .handler(
                delivery -> {
                  running.countDown();
                  while (mercy.getCount() > 0) {
                    LockSupport.parkNanos(1_000_000);
                  }
                })
            .start();
    running.await();
    long began = System.nanoTime();
    consumer.close();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));

    try (ContrailConsumer next = recording().start()) {
      workplace.awaitEmpty();
    }
    mercy.countDown();
    assertThat(done).containsExactly(1L);
  }

  @Test
  void closing_is_quick_when_the_connection_was_closed_before_or_the_server_is_away()
      throws Exception {
    Connection closed = Contrail.connect(server.url());
    ContrailConsumer onClosed =
        Contrail.consumer(closed, workplace.stream, "other")
            .prefix(workplace.names.prefix())
            .filter(workplace.stream + ".other")
            .handler(delivery -> {})
            .start();
    closed.close();
    assertThat(timeToClose(onClosed)).isLessThan(Duration.ofSeconds(1));

    ContrailConsumer onLost = recording().filter(workplace.subject()).start();
    workplace.publish("work");
    workplace.awaitEmpty();
    server.kill();
    await()
        .atMost(Workplace.SOON)
        .until(() -> workplace.connection.getStatus() != Connection.Status.CONNECTED);
    assertThat(timeToClose(onLost)).isLessThan(Duration.ofSeconds(1));
  }

  private static Duration timeToClose(ContrailConsumer consumer) {
    long began = System.nanoTime();
    consumer.close();
    return Duration.ofNanos(System.nanoTime() - began);
  }
}
