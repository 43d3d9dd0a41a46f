package dev.contrail.simulation;

import dev.contrail.engine.InFlight;
import dev.contrail.engine.Port;
import dev.contrail.engine.RunNote;
import dev.contrail.engine.WorkerEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Passes a worker's commands on. Those who look on, or put something wrong in, extend it. */
class PassingPort<M> implements Port<M> {
  protected final Port<M> port;

  PassingPort(Port<M> port) {
    this.port = port;
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
  public Optional<Duration> timeToLive(InFlight<M> message) {
    return port.timeToLive(message);
  }

  @Override
  public boolean isReplayed(InFlight<M> message) {
    return port.isReplayed(message);
  }

  @Override
  public void run(InFlight<M> message) {
    port.run(message);
  }

  @Override
  public boolean recall(InFlight<M> message) {
    return port.recall(message);
  }

  @Override
  public OptionalLong startedNanos(InFlight<M> message) {
    return port.startedNanos(message);
  }

  @Override
  public Throwable interrupt(InFlight<M> message, Duration timeout) {
    return port.interrupt(message, timeout);
  }

  @Override
  public void ack(InFlight<M> message) {
    port.ack(message);
  }

  @Override
  public void nak(InFlight<M> message, Duration delay) {
    port.nak(message, delay);
  }

  @Override
  public void term(InFlight<M> message) {
    port.term(message);
  }

  @Override
  public void extend(List<InFlight<M>> messages, long token) {
    port.extend(messages, token);
  }

  @Override
  public void echo(long token) {
    port.echo(token);
  }

  @Override
  public void lookUpCompletions(List<InFlight<M>> messages) {
    port.lookUpCompletions(messages);
  }

  @Override
  public void recordCompletions(List<InFlight<M>> messages) {
    port.recordCompletions(messages);
  }

  @Override
  public void checkDeadLetter(InFlight<M> message) {
    port.checkDeadLetter(message);
  }

  @Override
  public void readNote(InFlight<M> message) {
    port.readNote(message);
  }

  @Override
  public void writeNote(InFlight<M> message, RunNote note) {
    port.writeNote(message, note);
  }

  @Override
  public void bury(InFlight<M> message) {
    port.bury(message);
  }

  @Override
  public void report(WorkerEvent<M> event) {
    port.report(event);
  }
}
