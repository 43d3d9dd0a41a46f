package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.engine.Port;
import dev.contrail.engine.Worker;
import dev.contrail.policy.WorkerPolicy;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

final class WorkerLoopTest {
  @Test
  void a_step_that_fails_ends_neither_the_loop_nor_what_comes_after_it() throws Exception {
    AtomicInteger cycles = new AtomicInteger();
    WorkerLoop loop = loop(nanos -> cycles.incrementAndGet() > 0);
    CountDownLatch reached = new CountDownLatch(1);
    loop.start();

    loop.send(
        (worker, now) -> {
          throw new OutOfMemoryError("a test");
        });
    loop.send((worker, now) -> reached.countDown());

    assertThat(reached.await(10, TimeUnit.SECONDS)).as("the signal after it was taken").isTrue();
    loop.stop();
    assertThat(loop.awaitEnd(Duration.ofSeconds(10))).isTrue();
  }

  @Test
  void not_even_a_failure_that_cannot_be_logged_ends_the_loop() throws Exception {
    WorkerLoop loop = loop(nanos -> true);
    CountDownLatch reached = new CountDownLatch(1);
    loop.start();

    loop.send(
        (worker, now) -> {
          throw new Unloggable();
        });
    loop.send((worker, now) -> reached.countDown());

    assertThat(reached.await(10, TimeUnit.SECONDS)).as("the signal after it was taken").isTrue();
    loop.stop();
    assertThat(loop.awaitEnd(Duration.ofSeconds(10))).isTrue();
  }

  @Test
  void what_signals_decide_is_said_at_the_end_of_the_same_cycle() throws Exception {
    AtomicInteger decided = new AtomicInteger();
    AtomicInteger saidOf = new AtomicInteger(-1);
    CountDownLatch inTime = new CountDownLatch(1);
    CountDownLatch looked = new CountDownLatch(1);
    WorkerLoop loop = loop(nanos -> saidOf.getAndSet(decided.get()) >= -1);
    loop.send((worker, now) -> decided.incrementAndGet());
    loop.send(
        (worker, now) ->
            // Comes in the next cycle, before its end.
            loop.send(
                (again, later) -> {
                  if (saidOf.get() == 1) {
                    inTime.countDown();
                  }
                  looked.countDown();
                }));
    for (int i = 0; i < 1_024; i++) {
      loop.send((worker, now) -> {});
    }
    loop.start();

    assertThat(looked.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(inTime.getCount()).as("not said by then").isZero();
    loop.stop();
  }

  @Test
  void it_does_not_end_before_all_is_said() throws Exception {
    AtomicBoolean connected = new AtomicBoolean();
    AtomicInteger cycles = new AtomicInteger();
    WorkerLoop loop =
        loop(
            nanos -> {
              cycles.incrementAndGet();
              return connected.get();
            });
    loop.start();
    loop.send((worker, now) -> worker.drain(Duration.ZERO, now));
    loop.endWhenDrained();
    await().atMost(Duration.ofSeconds(10)).until(() -> cycles.get() > 3);
    assertThat(loop.awaitEnd(Duration.ZERO)).as("ended while acks wait").isFalse();

    connected.set(true);

    assertThat(loop.awaitEnd(Duration.ofSeconds(10))).as("ended when they had gone").isTrue();
  }

  /** Logging it calls this, as it would call an appender that fails. */
  private static final class Unloggable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new OutOfMemoryError("while logging");
    }
  }

  @SuppressWarnings("unchecked")
  private static WorkerLoop loop(LongPredicate endCycle) {
    Port<Delivered> port =
        (Port<Delivered>)
            Proxy.newProxyInstance(
                WorkerLoopTest.class.getClassLoader(),
                new Class<?>[] {Port.class},
                (proxy, method, arguments) -> null);
    Worker<Delivered> worker =
        new Worker<>(
            WorkerPolicy.defaults(1), Duration.ofSeconds(1), false, port, new SplittableRandom(1));
    return new WorkerLoop(
        "loop-test", worker, Duration.ofSeconds(1), endCycle, new Pulse(Duration.ofSeconds(1)));
  }
}
