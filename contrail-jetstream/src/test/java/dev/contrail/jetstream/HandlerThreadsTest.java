package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.engine.InFlights;
import io.nats.client.impl.NatsMessage;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandlerThreadsTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration KEPT = Duration.ofSeconds(60);

  private final Semaphore permits = new Semaphore(0);
  private final Set<Long> begun = ConcurrentHashMap.newKeySet();
  private final AtomicInteger ended = new AtomicInteger();
  private final AtomicInteger threads = new AtomicInteger();
  private final AtomicInteger live = new AtomicInteger();

  @Test
  void handlers_that_wait_get_a_thread_each_up_to_the_concurrency() {
    HandlerThreads handlers = handlers(8, this::waitForPermit);
    for (int sequence = 1; sequence <= 20; sequence++) {
      handlers.submit(List.of(run(sequence)));
    }

    await("eight at once").atMost(SOON).until(() -> begun.size() == 8);
    permits.release(20);

    await("all in the end").atMost(SOON).until(() -> ended.get() == 20);
    assertThat(threads).as("threads started").hasValue(8);
  }

  @Test
  void an_idle_thread_begins_with_what_comes_while_others_wait() {
    HandlerThreads handlers = handlers(8, this::waitForPermit);
    handlers.submit(List.of(run(1)));
    handlers.submit(List.of(run(2)));
    await().atMost(SOON).until(() -> begun.size() == 2);
    permits.release();
    await().atMost(SOON).until(() -> ended.get() == 1);

    handlers.submit(List.of(run(3)));

    await("the third beside the one that waits").atMost(SOON).until(() -> begun.size() == 3);
    permits.release(2);
    await().atMost(SOON).until(() -> ended.get() == 3);
  }

  @Test
  void what_there_was_no_memory_for_a_thread_for_is_run_when_there_is() {
    AtomicInteger starts = new AtomicInteger();
    HandlerThreads handlers =
        new HandlerThreads(
            8,
            KEPT,
            body ->
                new Thread(body) {
                  @Override
                  public synchronized void start() {
                    if (starts.getAndIncrement() == 0) {
                      throw new OutOfMemoryError("no memory for a thread");
                    }
                    super.start();
                  }
                },
            run -> ended.incrementAndGet());

    assertThatThrownBy(() -> handlers.submit(List.of(run(1), run(2))))
        .isInstanceOf(OutOfMemoryError.class);
    handlers.startMissing();

    await("both, though nothing more was submitted").atMost(SOON).until(() -> ended.get() == 2);
  }

  @Test
  void a_thread_that_is_not_kept_ends_with_the_last_run_and_another_begins_with_the_next() {
    HandlerThreads handlers = handlers(8, Duration.ZERO, this::waitForPermit);
    permits.release(2);
    handlers.submit(List.of(run(1)));
    await().atMost(SOON).until(() -> ended.get() == 1 && live.get() == 0);

    handlers.submit(List.of(run(2)));

    await().atMost(SOON).until(() -> ended.get() == 2 && live.get() == 0);
    assertThat(threads).hasValue(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 60})
  void of_many_short_runs_from_many_threads_each_is_run_once(int secondsKept) throws Exception {
    int submitters = 4;
    int each = 50_000;
    HandlerThreads handlers = handlers(16, Duration.ofSeconds(secondsKept), run -> note(run));
    CountDownLatch submitted = new CountDownLatch(submitters);
    for (int i = 0; i < submitters; i++) {
      int first = i * each;
      Thread submitter =
          new Thread(
              () -> {
                for (int sequence = first; sequence < first + each; sequence++) {
                  handlers.submit(List.of(run(sequence)));
                }
                submitted.countDown();
              });
      submitter.start();
    }

    assertThat(submitted.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    await("none is left lying").atMost(SOON).until(() -> ended.get() == submitters * each);
    assertThat(begun).hasSize(submitters * each);
  }

  @Test
  void a_thread_that_is_given_up_is_replaced() {
    HandlerThreads handlers = handlers(1, this::waitForPermit);
    Run stuck = run(1);
    handlers.submit(List.of(stuck));
    await().atMost(SOON).until(() -> begun.contains(1L));
    handlers.submit(List.of(run(2)));

    handlers.replace(stuck);

    await("the second, while the first is stuck").atMost(SOON).until(() -> begun.contains(2L));
    permits.release(2);
    await().atMost(SOON).until(() -> ended.get() == 2);
    handlers.submit(List.of(run(3)));
    permits.release();
    await("the third, on the replacement").atMost(SOON).until(() -> begun.contains(3L));
    assertThat(threads).hasValue(2);
  }

  private HandlerThreads handlers(int concurrency, Consumer<Run> body) {
    return handlers(concurrency, KEPT, body);
  }

  private HandlerThreads handlers(int concurrency, Duration keptIdle, Consumer<Run> body) {
    return new HandlerThreads(
        concurrency,
        keptIdle,
        work -> {
          threads.incrementAndGet();
          live.incrementAndGet();
          Thread thread =
              new Thread(
                  () -> {
                    work.run();
                    live.decrementAndGet();
                  });
          thread.setDaemon(true);
          return thread;
        },
        body);
  }

  private void waitForPermit(Run run) {
    run.begin(0);
    begun.add(run.message().sequence());
    permits.acquireUninterruptibly();
    run.end();
    ended.incrementAndGet();
  }

  private void note(Run run) {
    if (begun.add(run.message().sequence())) {
      ended.incrementAndGet();
    }
  }

  private static Run run(long sequence) {
    Delivered delivered =
        new ClientDelivered(
            NatsMessage.builder().subject("orders").data("x").build(),
            "$JS.ACK.ORDERS.billing.1." + sequence + ".1.1700000000000000000.0",
            0);
    return new Run(InFlights.of(delivered, sequence));
  }
}
