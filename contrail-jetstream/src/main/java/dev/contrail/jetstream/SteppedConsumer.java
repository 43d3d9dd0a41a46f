package dev.contrail.jetstream;

import dev.contrail.engine.InFlight;
import dev.contrail.policy.BreakerPolicy;
import dev.contrail.policy.WorkerPolicy;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.api.ConsumerInfo;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A consumer for tests, that does nothing by itself: {@link #next} has the server deliver one
 * message and runs the duty cycle of production on the caller's thread, the handler included, until
 * it is known what became of that message. Server, ledger and dead letters are the real ones.
 *
 * <p>Its wall clock goes as the machine's does, and can be moved ahead with {@link #advance}.
 * Messages that are to come again after a while come when that clock says so; the retry window, the
 * age of messages and the times in dead letters go by it, too. The server's own clock cannot be
 * moved: what a stream deletes for its age it deletes in its own time.
 *
 * <p>Unlike in production one message is in hand at a time, AckWait of a consumer that is made is
 * an hour, so that a person may look around in a debugger, and for the same reason the circuit
 * breaker stays closed and no handler is interrupted. Not thread-safe.
 */
public final class SteppedConsumer implements AutoCloseable {
  static final Duration ACK_WAIT = Duration.ofHours(1);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration LAST_MOMENTS = Duration.ofSeconds(5);

  /** Where a worker dies. */
  public enum Crash {
    /** The handler has had its effect, and nothing is recorded of it. */
    BEFORE_RECORD,
    /** What became of the message is stored, and the server was not told. */
    BEFORE_ACK
  }

  private final Connection connection;
  private final ConsumerOptions options;
  private final StepWatch watch;
  private final TestClock clock = new TestClock();
  private final WaitingRetries retries = new WaitingRetries();
  private final Supplier<ConsumerStarter.Parts> process;
  private @Nullable SteppedAcks acks;
  private @Nullable OwnThread handlers;
  private @Nullable Started started;

  SteppedConsumer(
      Connection connection, ConsumerOptions options, Supplier<ConsumerStarter.Parts> process) {
    this.connection = connection;
    this.options = options;
    this.process = process;
    this.watch = new StepWatch(new DeadLetterArchive(connection, options.jetStream, options.names));
    options.surroundings = to -> new MovedAhead(clock);
    options.acks =
        to -> {
          acks = new SteppedAcks(to, clock, retries);
          return acks;
        };
    options.handlers =
        (name, body) -> {
          handlers = new OwnThread(body);
          return handlers;
        };
    options.events = watch::told;
    started();
  }

  /** One message at a time, and nothing by the clock of the machine. */
  static WorkerPolicy policy(WorkerPolicy production) {
    BreakerPolicy breaker = production.breaker();
    return production
        .withConcurrency(1)
        .withWindow(1)
        .withBreaker(
            new BreakerPolicy(
                Duration.ofDays(365), breaker.distinctFailures(), breaker.probeEvery()));
  }

  /**
   * Takes the next message and returns what became of it; empty when there is none at this time.
   *
   * @throws IllegalStateException when the server has some, and delivers none for 30 s
   */
  public Optional<StepResult> next() {
    Started process = started();
    SteppedAcks acks = process.acks();
    acks.sendDue();
    watch.begin();
    Deadline deadline = new Deadline();
    while (true) {
      int taken = process.cycle();
      if (process.handlers().runNext().isPresent()) {
        watch.ran();
        deadline = new Deadline();
        continue;
      }
      Optional<StepResult> result = acks.takeAcked().map(watch::acked).or(watch::result);
      if (result.isPresent()) {
        flush();
        return result;
      }
      if (taken == 0) {
        if (isIdle(process)) {
          return Optional.empty();
        }
        deadline.check(process);
        process.rest();
      }
    }
  }

  /**
   * Takes the next message and dies over it, as the process would when killed there; the server
   * takes back what it held, as it does when AckWait is over. What is called next is done by
   * another worker, that knows of nothing but what is stored.
   *
   * @throws IllegalStateException when there is no message
   */
  public void crash(Crash where) {
    Started process = started();
    SteppedAcks acks = process.acks();
    acks.sendDue();
    if (where == Crash.BEFORE_ACK) {
      acks.mute();
    }
    Optional<InFlight<Delivered>> over = Optional.empty();
    Deadline deadline = new Deadline();
    while (over.isEmpty()) {
      int taken = process.cycle();
      Optional<Run> run = process.handlers().runNext();
      over = where == Crash.BEFORE_RECORD ? run.map(Run::message) : acks.unsaid();
      if (over.isEmpty() && run.isEmpty() && taken == 0) {
        if (isIdle(process)) {
          acks.speak();
          throw new IllegalStateException("there is no message to die over");
        }
        deadline.check(process);
        process.rest();
      }
    }
    endPulls(process);
    acks.expire(over.get());
    acks.sendWaiting(System.nanoTime());
    flush();
    end(process);
  }

  /** Moves its clock ahead. */
  public void advance(Duration by) {
    clock.advance(by);
  }

  /**
   * Moves its clock ahead to when the next message that failed comes again; returns by how much,
   * empty when none waits.
   */
  public Optional<Duration> advanceToRetry() {
    Optional<Duration> left = untilRetry();
    left.ifPresent(clock::advance);
    return left;
  }

  /** How long it is by its clock until the next message that failed comes again, if any waits. */
  public Optional<Duration> untilRetry() {
    return retries.untilNext(clock.instant());
  }

  /** What its clock says. */
  public Instant now() {
    return clock.instant();
  }

  /** Ends it; what waits for its time to be delivered again is returned to the server at once. */
  @Override
  public void close() {
    Started process = started;
    if (process == null) {
      return;
    }
    // Before the next tick, which would pull, and before what is returned could come on a pull.
    process.tell((worker, now) -> worker.drain(Duration.ZERO, now));
    endPulls(process);
    Deadline deadline = new Deadline();
    do {
      process.cycle();
    } while (!process.isDone() && !deadline.isOver());
    process.acks().sendAll();
    process.acks().sendWaiting(System.nanoTime());
    flush();
    end(process);
  }

  private void end(Started process) {
    started = null;
    process.parts().assembly().keeper().close();
    process.handlers().close();
  }

  private static void endPulls(Started process) {
    try {
      process.parts().assembly().pulls().close(LAST_MOMENTS).exceptionally(failure -> false).join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Started started() {
    Started process = started;
    if (process == null) {
      ConsumerStarter.Parts parts = this.process.get();
      if (acks == null || handlers == null) {
        throw new IllegalStateException("put together without its acks and handlers");
      }
      process = new Started(parts, acks, handlers, clock);
      parts.assembly().keeper().start();
      started = process;
    }
    return process;
  }

  /** Whether all that the consumer was given is done, or waits for its time. */
  private boolean isIdle(Started process) {
    ConsumerInfo info = info(process);
    return info.getNumPending() == 0 && info.getNumAckPending() <= retries.size();
  }

  private ConsumerInfo info(Started process) {
    try {
      return connection
          .jetStreamManagement(options.jetStream)
          .getConsumerInfo(
              process.parts().identity().stream(), process.parts().identity().consumer());
    } catch (IOException | JetStreamApiException e) {
      throw new ContrailException(
          "Consumer " + process.parts().identity() + " cannot be looked at: " + e.getMessage(), e);
    }
  }

  private void flush() {
    try {
      connection.flush(LAST_MOMENTS);
    } catch (TimeoutException | IllegalStateException e) {
      throw new ContrailException("The server did not take the acks: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Deadline {
    private final long nanos = System.nanoTime() + PATIENCE.toNanos();

    boolean isOver() {
      return System.nanoTime() - nanos > 0;
    }

    void check(Started process) {
      if (isOver()) {
        ConsumerInfo info = info(process);
        throw new IllegalStateException(
            "Consumer "
                + process.parts().identity()
                + " has "
                + info.getNumPending()
                + " messages to deliver and "
                + (info.getNumAckPending() - retries.size())
                + " delivered elsewhere, but nothing came of it within "
                + PATIENCE.toSeconds()
                + " s; is another worker at it, or a store away?");
      }
    }
  }
}
