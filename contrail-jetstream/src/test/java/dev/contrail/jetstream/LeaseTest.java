package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.server.NatsServerBinary;
import io.nats.client.Dispatcher;
import io.nats.client.JetStreamApiException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@OnEveryServer
class LeaseTest {
  private final NatsServerBinary binary;
  private Workplace workplace;
  @TempDir Path folder;

  LeaseTest(NatsServerBinary binary) {
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
  void a_handler_of_five_seconds_runs_once_with_an_ack_wait_of_one() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    workplace.publish(3, "slow");
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .ackWait(Duration.ofSeconds(1))
            .concurrency(1)
            .handler(
                delivery -> {
                  assertThat(delivery.deliveryCount()).isEqualTo(1);
                  runs.incrementAndGet();
                  // The work itself; the third message waits in the queue for three of these.
                  Workplace.work(Duration.ofMillis(runs.get() == 1 ? 5_000 : 1_500));
                })
            .start()) {
      workplace.awaitEmpty();
      assertThat(runs).hasValue(3);
      await()
          .atMost(Workplace.SOON)
          .until(() -> consumer.status().counts().done() == 3 && consumer.status().inFlight() == 0);
      assertThat(consumer.status().counts().lost()).as("leases lost").isZero();
    }
  }

  private record Ack(long sequence, long delivery, String word) {
    static Ack of(String subject, byte[] data) {
      AckSubject parsed = AckSubject.parse(subject);
      return new Ack(
          parsed.sequence(), parsed.deliveries(), new String(data, StandardCharsets.US_ASCII));
    }
  }

  @Test
  void a_worker_stopped_for_longer_than_ack_wait_sends_nothing_for_what_it_lost() throws Exception {
    int messages = 30;
    Queue<Ack> acks = new ConcurrentLinkedQueue<>();
    AtomicLong lastAck = new AtomicLong();
    Dispatcher spy =
        workplace.connection.createDispatcher(
            ack -> {
              lastAck.set(System.nanoTime());
              acks.add(Ack.of(ack.getSubject(), ack.getData()));
            });
    spy.subscribe("$JS.ACK." + workplace.stream + ".>");
    workplace.publish(messages, "ok");
    Path effects = folder.resolve("effects");
    WorkerOrders orders = WorkerOrders.of(workplace, effects).withWorkTime(Duration.ofMillis(700));
    List<String> begun;
    long fresh;
    try (WorkerProcess frozen = WorkerProcess.start(orders)) {
      frozen.await(lines -> lines.stream().anyMatch(line -> line.startsWith("running")));
      // Between two rounds of acks: those on their way through the client when a process is stopped
      // leave when it goes on, and nothing in it can tell.
      await()
          .atMost(Workplace.SOON)
          .pollInterval(Duration.ofMillis(5))
          .until(() -> isBetween(60, System.nanoTime() - lastAck.get(), 150));
      frozen.signal("STOP");
      Set<Long> held = pendingOnTheServer();
      begun = Files.readAllLines(effects);
      assertThat(held).as("messages that the stopped worker holds").isNotEmpty();
      acks.clear();

      Set<Long> doneByOther = ConcurrentHashMap.newKeySet();
      try (ContrailConsumer other =
          workplace.consumer().handler(delivery -> doneByOther.add(delivery.sequence())).start()) {
        workplace.awaitEmpty();
      }
      assertThat(doneByOther).as("what the other worker did").containsAll(held);

      acks.clear();
      frozen.signal("CONT");
      frozen.await("notice STOOD_STILL").await("notice LEASE_LOST");
      fresh = workplace.publish("ok");
      long published = fresh;
      workplace.awaitEmpty();
      await()
          .atMost(Workplace.SOON)
          .until(() -> acks.stream().anyMatch(ack -> ack.sequence() == published));
      frozen.drain();
      assertThat(acks)
          .filteredOn(ack -> ack.sequence() < published)
          .as("sent after the worker came back, for what it had lost")
          .isEmpty();
    }
    List<String> runs = Files.readAllLines(effects);
    long last = fresh;
    assertThat(begun).as("runs in the stopped worker").isNotEmpty();
    assertThat(runs.subList(begun.size(), runs.size()))
        .as("begun after the worker came back, of what another had done")
        .noneMatch(sequence -> Long.parseLong(sequence) < last);
    assertThat(workplace.deadLetterCount()).isZero();
  }

  private static boolean isBetween(long leastMillis, long nanos, long mostMillis) {
    long millis = Duration.ofNanos(nanos).toMillis();
    return leastMillis <= millis && millis <= mostMillis;
  }

  /** Delivered to the only worker there is, and not acknowledged. */
  private Set<Long> pendingOnTheServer() {
    long floor = workplace.consumerInfo().getAckFloor().getStreamSequence();
    long delivered = workplace.consumerInfo().getDelivered().getStreamSequence();
    return LongStream.rangeClosed(floor + 1, delivered)
        .boxed()
        .filter(this::isStored)
        .collect(Collectors.toSet());
  }

  private boolean isStored(long sequence) {
    try {
      workplace.management.getMessage(workplace.stream, sequence);
      return true;
    } catch (JetStreamApiException e) {
      return false;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
