package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.engine.Port;
import dev.contrail.engine.Worker;
import dev.contrail.policy.WorkerPolicy;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

final class WorkerLoopTest {
  @Test
  void a_step_that_fails_ends_neither_the_loop_nor_what_comes_after_it() throws Exception {
    AtomicInteger cycles = new AtomicInteger();
    WorkerLoop loop = loop(nanos -> cycles.incrementAndGet());
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
    WorkerLoop loop = loop(nanos -> {});
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

  /** Logging it calls this, as it would call an appender that fails. */
  private static final class Unloggable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new OutOfMemoryError("while logging");
    }
  }

  @SuppressWarnings("unchecked")
  private static WorkerLoop loop(LongConsumer eachCycle) {
    Port<Delivered> port =
        (Port<Delivered>)
            Proxy.newProxyInstance(
                WorkerLoopTest.class.getClassLoader(),
                new Class<?>[] {Port.class},
                (proxy, method, arguments) -> null);
    Worker<Delivered> worker =
        new Worker<>(
            WorkerPolicy.defaults(1), Duration.ofSeconds(1), false, port, new SplittableRandom(1));
    return new WorkerLoop("loop-test", worker, Duration.ofSeconds(1), eachCycle);
  }
}
