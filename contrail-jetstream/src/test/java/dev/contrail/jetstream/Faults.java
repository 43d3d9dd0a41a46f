package dev.contrail.jetstream;

import dev.contrail.Headers;
import dev.contrail.engine.InFlight;
import dev.contrail.engine.Port;
import dev.contrail.engine.RunNote;
import dev.contrail.engine.WorkerEvent;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/** Puts a {@link Fault} into a consumer. */
final class Faults {
  private Faults() {}

  static void apply(
      Optional<Fault> fault, String prefix, Connection connection, ConsumerOptions options) {
    if (fault.isEmpty()) {
      return;
    }
    Optional<String> subjects = subjects(fault.get(), prefix);
    AtomicReference<Runnable> terminate = new AtomicReference<>(() -> {});
    if (subjects.isPresent()) {
      options.api =
          (own, jetStream) ->
              new StoppingApi(own, jetStream, fault.get(), subjects.get(), terminate);
    }
    options.port =
        port -> new StoppingPort((JetStreamPort) port, connection, fault.get(), terminate);
  }

  /** What is published where the fault is. */
  private static Optional<String> subjects(Fault fault, String prefix) {
    return switch (fault) {
      case BETWEEN_PARTS_AND_HEAD -> Optional.of(prefix + "[.]dlq[.].*");
      case BEFORE_CLAIM, AFTER_CLAIM, NO_CLAIM -> Optional.of(prefix + "[.]event[.].*[.]run[.].*");
      case BEFORE_OUTCOME, AFTER_OUTCOME, TERM_FIRST_THEN_BEFORE_OUTCOME ->
          Optional.of(prefix + "[.]event[.].*[.]outcome[.].*");
      default -> Optional.empty();
    };
  }

  /** Says that the point is reached and goes no further: now is the time to kill the process. */
  static void stop() {
    System.out.println("reached");
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static final class StoppingApi extends JetStreamApi {
    private final Fault fault;
    private final String subjects;
    private final AtomicReference<Runnable> terminate;

    StoppingApi(
        Connection connection,
        JetStreamOptions options,
        Fault fault,
        String subjects,
        AtomicReference<Runnable> terminate) {
      super(connection, options);
      this.fault = fault;
      this.subjects = subjects;
      this.terminate = terminate;
    }

    @Override
    CompletableFuture<Void> create(String stream, String subject, Headers headers, byte[] body) {
      if (!subject.matches(subjects)) {
        return super.create(stream, subject, headers, body);
      }
      if (fault == Fault.NO_CLAIM) {
        return CompletableFuture.completedFuture(null);
      }
      if (fault == Fault.AFTER_CLAIM || fault == Fault.AFTER_OUTCOME) {
        return super.create(stream, subject, headers, body).thenRun(Faults::stop);
      }
      if (fault == Fault.TERM_FIRST_THEN_BEFORE_OUTCOME) {
        Objects.requireNonNull(terminate.get()).run();
      }
      stop();
      throw new AssertionError("was not killed");
    }
  }

  private record StoppingPort(
      JetStreamPort port, Connection connection, Fault fault, AtomicReference<Runnable> terminate)
      implements Port<Delivered> {
    @Override
    public void bury(InFlight<Delivered> message) {
      if (fault == Fault.TERM_FIRST_THEN_BEFORE_EVIDENCE) {
        port.term(message);
        flush();
        stop();
      }
      if (fault == Fault.BEFORE_EVIDENCE) {
        stop();
      }
      terminate.set(
          () -> {
            port.term(message);
            flush();
          });
      port.bury(message);
    }

    @Override
    public void term(InFlight<Delivered> message) {
      if (fault == Fault.AFTER_EVIDENCE) {
        stop();
      }
      port.term(message);
      flush();
      if (fault == Fault.AFTER_TERM) {
        stop();
      }
    }

    @Override
    public void recordCompletions(List<InFlight<Delivered>> messages) {
      if (fault == Fault.ACK_FIRST_THEN_BEFORE_RECORD) {
        messages.forEach(port::ack);
        flush();
        stop();
      }
      if (fault == Fault.BEFORE_RECORD) {
        stop();
      }
      port.recordCompletions(messages);
    }

    @Override
    public void ack(InFlight<Delivered> message) {
      if (fault == Fault.AFTER_RECORD) {
        stop();
      }
      port.ack(message);
      if (fault == Fault.AFTER_ACK) {
        flush();
        stop();
      }
    }

    private void flush() {
      port.endCycle(System.nanoTime());
      try {
        connection.flush(Duration.ofSeconds(5));
      } catch (TimeoutException | InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void pull(long pullId, int batch, long bytes) {
      port.pull(pullId, batch, bytes);
    }

    @Override
    public void endPulls() {
      port.endPulls();
    }

    @Override
    public long largestMessage() {
      return port.largestMessage();
    }

    @Override
    public Optional<Duration> timeToLive(InFlight<Delivered> message) {
      return port.timeToLive(message);
    }

    @Override
    public boolean isReplayed(InFlight<Delivered> message) {
      return port.isReplayed(message);
    }

    @Override
    public void run(InFlight<Delivered> message) {
      port.run(message);
    }

    @Override
    public boolean recall(InFlight<Delivered> message) {
      return port.recall(message);
    }

    @Override
    public OptionalLong startedNanos(InFlight<Delivered> message) {
      return port.startedNanos(message);
    }

    @Override
    public Throwable interrupt(InFlight<Delivered> message, Duration timeout) {
      return port.interrupt(message, timeout);
    }

    @Override
    public void nak(InFlight<Delivered> message, Duration delay) {
      port.nak(message, delay);
    }

    @Override
    public void extend(List<InFlight<Delivered>> messages, long token) {
      port.extend(messages, token);
    }

    @Override
    public void echo(long token) {
      port.echo(token);
    }

    @Override
    public void lookUpCompletions(List<InFlight<Delivered>> messages) {
      port.lookUpCompletions(messages);
    }

    @Override
    public void checkDeadLetter(InFlight<Delivered> message) {
      port.checkDeadLetter(message);
    }

    @Override
    public void readNote(InFlight<Delivered> message) {
      port.readNote(message);
    }

    @Override
    public void writeNote(InFlight<Delivered> message, RunNote note) {
      port.writeNote(message, note);
    }

    @Override
    public void report(WorkerEvent<Delivered> event) {
      port.report(event);
    }
  }
}
