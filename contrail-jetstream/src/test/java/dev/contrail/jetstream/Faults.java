package dev.contrail.jetstream;

import dev.contrail.engine.InFlight;
import dev.contrail.engine.Port;
import dev.contrail.engine.RunNote;
import dev.contrail.engine.WorkerEvent;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.impl.Headers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;

/** Puts a {@link Fault} into a consumer. */
final class Faults {
  private Faults() {}

  static void apply(
      Optional<Fault> fault, String prefix, Connection connection, ConsumerOptions options) {
    if (fault.isEmpty()) {
      return;
    }
    if (fault.get() == Fault.BETWEEN_PARTS_AND_HEAD) {
      options.api = (own, jetStream) -> new StoppingApi(own, jetStream, prefix);
    } else {
      options.port = port -> new StoppingPort((JetStreamPort) port, connection, fault.get());
    }
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
    private final String heads;

    StoppingApi(Connection connection, JetStreamOptions options, String prefix) {
      super(connection, options);
      this.heads = prefix + ".dlq.";
    }

    @Override
    CompletableFuture<Void> create(String stream, String subject, Headers headers, byte[] body) {
      if (subject.startsWith(heads)) {
        stop();
      }
      return super.create(stream, subject, headers, body);
    }
  }

  private record StoppingPort(JetStreamPort port, Connection connection, Fault fault)
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
      port.bury(message);
    }

    @Override
    public void term(InFlight<Delivered> message) {
      if (fault == Fault.AFTER_EVIDENCE) {
        stop();
      }
      port.term(message);
      flush();
      stop();
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
