package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.Codec;
import dev.contrail.engine.InFlights;
import io.nats.client.impl.NatsMessage;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** After a standstill, nothing is begun before the worker knows which leases it lost. */
class PulseTest {
  private static final Duration ACK_WAIT = Duration.ofMillis(100);
  private static final Duration SOON = Duration.ofSeconds(30);

  private final Pulse pulse = new Pulse(ACK_WAIT);
  private final AtomicInteger runs = new AtomicInteger();
  private final Run run = run();
  private final Thread thread = new Thread(() -> body().accept(run), "handler");

  @BeforeEach
  void stand_still() throws Exception {
    thread.setDaemon(true);
    long since = System.nanoTime();
    await().atMost(SOON).until(() -> System.nanoTime() - since > ACK_WAIT.toNanos());
    thread.start();
    await("waits, or has ended")
        .atMost(SOON)
        .until(
            () ->
                thread.getState() == Thread.State.TIMED_WAITING
                    || thread.getState() == Thread.State.TERMINATED);
  }

  @AfterEach
  void end() throws Exception {
    pulse.end();
    thread.join(SOON.toMillis());
  }

  @Test
  void what_the_worker_takes_back_when_it_knows_the_time_is_not_begun() throws Exception {
    assertThat(run.recall()).as("taken back before any thread began with it").isTrue();
    pulse.told();
    thread.join(SOON.toMillis());
    assertThat(runs).hasValue(0);
  }

  @Test
  void what_it_does_not_take_back_is_run() throws Exception {
    assertThat(runs).hasValue(0);
    pulse.told();
    thread.join(SOON.toMillis());
    assertThat(runs).hasValue(1);
  }

  @Test
  void nobody_waits_for_a_worker_that_has_ended() throws Exception {
    pulse.end();
    thread.join(SOON.toMillis());
    assertThat(thread.isAlive()).isFalse();
    assertThat(runs).hasValue(0);
  }

  private HandlerBody<byte[]> body() {
    ConsumerIdentity identity = new ConsumerIdentity("ORDERS", "billing", "i");
    return new HandlerBody<>(
        identity,
        Codec.bytes(),
        delivery -> runs.incrementAndGet(),
        signal -> {},
        pulse,
        new Tally(identity));
  }

  private static Run run() {
    return new Run(
        InFlights.of(
            new ClientDelivered(
                NatsMessage.builder().subject("orders").data("x").build(),
                "$JS.ACK.ORDERS.billing.1.1.1.1700000000000000000.0",
                0),
            1));
  }
}
