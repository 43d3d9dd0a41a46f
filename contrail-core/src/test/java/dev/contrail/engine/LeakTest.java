package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.BreakerPolicy;
import dev.contrail.policy.RetryPolicy;
import dev.contrail.policy.WorkerPolicy;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A worker that lives for months must not keep the messages it is done with. */
class LeakTest {
  private static final int WINDOW = 4;
  private static final int MESSAGES = 400;
  private static final Duration ACK_WAIT = Duration.ofSeconds(30);
  private static final WorkerPolicy POLICY =
      WorkerPolicy.defaults(4)
          .withWindow(WINDOW)
          .withBreaker(new BreakerPolicy(Duration.ofSeconds(60), 3, Duration.ofMillis(10)));

  private final List<WeakReference<Object>> delivered = new ArrayList<>();
  private final Deque<InFlight<Object>> running = new ArrayDeque<>();
  private final Deque<Runnable> answers = new ArrayDeque<>();
  private boolean extensionsArrive = true;
  private Worker<Object> worker = newWorker(POLICY);
  private long nanos;

  @Test
  void what_is_done_is_not_kept() {
    for (int sequence = 1; sequence <= MESSAGES; sequence++) {
      deliver(sequence, 1);
      end(Outcome.Done.DONE);
      pass(Duration.ofMillis(100));
    }

    assertNoneIsKept();
  }

  @Test
  void what_is_let_go_while_the_breaker_is_open_is_not_kept() {
    for (int sequence = 1; sequence <= 3; sequence++) {
      deliver(sequence, 1);
    }
    fail();
    fail();
    pass(Duration.ofSeconds(60));
    fail();
    assertThat(worker.status().breakerOpen()).isTrue();
    int sequence = 3;
    while (sequence < MESSAGES) {
      while (worker.status().inFlight() < WINDOW) {
        deliver(++sequence, 1);
      }
      pass(Duration.ofMillis(10));
      if (!running.isEmpty()) {
        fail();
      }
    }

    assertNoneIsKept();
  }

  @Test
  void what_is_lost_is_not_kept() {
    worker = newWorker(POLICY.withRetry(RetryPolicy.DEFAULT.withDeliveryLimit(3)));
    extensionsArrive = false;
    for (int sequence = 1; sequence <= MESSAGES; sequence++) {
      deliver(sequence, 1 + sequence % 6);
      if (sequence % WINDOW == 0) {
        pass(ACK_WAIT.plusSeconds(10));
        running.forEach(message -> worker.ended(message, Outcome.Done.DONE, now()));
        running.clear();
      }
    }

    assertNoneIsKept();
  }

  private void assertNoneIsKept() {
    pass(ACK_WAIT);
    pass(ACK_WAIT);
    System.gc();
    assertThat(delivered).filteredOn(message -> message.get() != null).hasSizeLessThan(2 * WINDOW);
  }

  private Now now() {
    return new Now(nanos, nanos / 1_000_000);
  }

  private void pass(Duration time) {
    long end = nanos + time.toNanos();
    while (nanos < end) {
      nanos = Math.min(end, nanos + ACK_WAIT.toNanos() / 10);
      worker.tick(now());
      answer();
    }
  }

  private void answer() {
    while (!answers.isEmpty()) {
      answers.remove().run();
    }
  }

  private void deliver(long sequence, long count) {
    Object message = new Object();
    delivered.add(new WeakReference<>(message));
    worker.delivered(message, sequence, count, 0, 100, nanos, now());
    answer();
  }

  private void fail() {
    end(Outcome.failed(new IllegalStateException("boom")));
  }

  private void end(Outcome outcome) {
    worker.ended(running.remove(), outcome, now());
  }

  /** On a port that keeps nothing but what runs. */
  private Worker<Object> newWorker(WorkerPolicy policy) {
    @SuppressWarnings("unchecked")
    Port<Object> port =
        (Port<Object>)
            Proxy.newProxyInstance(
                Port.class.getClassLoader(),
                new Class<?>[] {Port.class},
                (proxy, command, arguments) -> carryOut(command.getName(), arguments));
    return new Worker<>(policy, ACK_WAIT, false, port, new SplittableRandom(1));
  }

  private Object carryOut(String command, Object[] arguments) {
    if (command.equals("run")) {
      running.add(message(arguments));
    } else if (command.equals("writeNote")) {
      answers.add(() -> worker.noteStored(message(arguments), now()));
    } else if (command.equals("readNote")) {
      answers.add(() -> worker.noteRead(message(arguments), Optional.empty(), now()));
    } else if (command.equals("checkDeadLetter")) {
      answers.add(() -> worker.deadLetterChecked(message(arguments), false, now()));
    } else if (command.equals("extend") && extensionsArrive) {
      answers.add(() -> worker.leasesExtended((Long) arguments[1]));
    }
    return switch (command) {
      case "recall", "isReplayed" -> false;
      case "largestMessage" -> 100L;
      case "timeToLive" -> Optional.empty();
      default -> OptionalLong.empty();
    };
  }

  @SuppressWarnings("unchecked")
  private static InFlight<Object> message(Object[] arguments) {
    return (InFlight<Object>) arguments[0];
  }
}
