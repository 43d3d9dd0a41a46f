package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.contrail.Delivery;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.Reason;
import dev.contrail.server.NatsServerBinary;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a handler does to its thread, no message is lost and its neighbours finish. */
@OnEveryServer
class HandlerAbuseTest {
  private static final int NEIGHBOURS = 20;
  private static final Duration TIMEOUT = Duration.ofMillis(300);

  private final NatsServerBinary binary;
  private final Queue<String> done = new ConcurrentLinkedQueue<>();
  private final Set<String> startedInterrupted = ConcurrentHashMap.newKeySet();
  private final AtomicInteger hanging = new AtomicInteger();
  private final AtomicInteger mostHanging = new AtomicInteger();
  private final CountDownLatch mercy = new CountDownLatch(1);
  private Workplace workplace;

  HandlerAbuseTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    workplace = Workplace.workqueue(Servers.shared(binary));
  }

  @AfterEach
  void close() {
    mercy.countDown();
    workplace.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void errors_and_interruptions_are_failures_like_any_other(int concurrency) throws Exception {
    List<String> abuses = List.of("memory", "stack", "interrupt", "interrupt and throw", "assert");
    for (String abuse : abuses) {
      workplace.publish(abuse);
      workplace.publish("ok");
    }
    try (LogCapture log = new LogCapture()) {
      try (ContrailConsumer consumer =
          workplace.consumer().concurrency(concurrency).handler(this::abuseOnce).start()) {
        workplace.awaitEmpty();
      }
      assertThat(log.at(Level.ERROR)).as("errors logged").isEmpty();
    }
    assertThat(done)
        .as("what was done in the end")
        .containsAll(abuses)
        .filteredOn("ok"::equals)
        .hasSize(abuses.size());
    assertThat(done).hasSize(2 * abuses.size());
    assertThat(startedInterrupted).as("runs that began with their thread interrupted").isEmpty();
    assertThat(workplace.deadLetterCount()).isZero();
  }

  private void abuseOnce(Delivery<byte[]> delivery) {
    String word = text(delivery);
    if (Thread.interrupted()) {
      startedInterrupted.add(word);
    }
    if (delivery.deliveryCount() == 1) {
      switch (word) {
        case "memory" -> done.add(new String(new byte[Integer.MAX_VALUE], StandardCharsets.UTF_8));
        case "stack" -> done.add("" + endless(0));
        case "interrupt and throw" -> {
          Thread.currentThread().interrupt();
          throw new IllegalStateException("interrupted itself");
        }
        case "assert" -> throw new AssertionError("not an Exception");
        default -> {}
      }
    }
    if (word.equals("interrupt")) {
      Thread.currentThread().interrupt();
    }
    done.add(word);
  }

  @SuppressWarnings("InfiniteRecursion")
  private static int endless(int depth) {
    return endless(depth + 1) + 1;
  }

  @ParameterizedTest
  @CsvSource({"heeding, 1", "heeding, 4", "ignoring, 1", "ignoring, 4"})
  void a_handler_that_hangs_dies_by_timeout_and_its_neighbours_finish(String how, int concurrency)
      throws Exception {
    long sequence = workplace.publish(how);
    workplace.publish(NEIGHBOURS, "ok");
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .concurrency(concurrency)
            .handlerTimeout(TIMEOUT)
            .deliveryLimit(3)
            .drainTimeout(Duration.ofMillis(100))
            .handler(this::hang)
            .start()) {
      workplace.awaitEmpty();
      assertThat(done).as("neighbours that finished").hasSize(NEIGHBOURS);
      mercy.countDown();
    }
    DeadLetter letter = workplace.awaitDeadLetter();
    assertThat(letter.id().sequence()).isEqualTo(sequence);
    assertThat(letter.death().reason()).isEqualTo(Reason.DELIVERY_LIMIT);
    assertThat(letter.death().deliveries()).isEqualTo(3);
    assertThat(letter.death().failure().stackTrace())
        .contains("the handler did not end within 300ms")
        .contains("HandlerAbuseTest.hang")
        .contains("HandlerBody");
    assertThat(mostHanging).as("runs of the hanging message beside each other").hasValue(1);
  }

  private void hang(Delivery<byte[]> delivery) throws InterruptedException {
    switch (text(delivery)) {
      case "heeding" -> hangUntilInterrupted();
      case "ignoring" -> hangWhateverComes();
      default -> done.add("ok");
    }
  }

  private void hangUntilInterrupted() throws InterruptedException {
    mostHanging.accumulateAndGet(hanging.incrementAndGet(), Math::max);
    try {
      mercy.await();
    } finally {
      hanging.decrementAndGet();
    }
  }

  private void hangWhateverComes() {
    mostHanging.accumulateAndGet(hanging.incrementAndGet(), Math::max);
    while (mercy.getCount() > 0) {
      try {
        mercy.await();
      } catch (InterruptedException e) {
        // That is the point.
      }
    }
    hanging.decrementAndGet();
  }

  private static String text(Delivery<byte[]> delivery) {
    return new String(delivery.data(), StandardCharsets.UTF_8);
  }
}
