package dev.contrail.jetstream;

import dev.contrail.Headers;
import dev.contrail.engine.Outcome;
import java.util.function.Consumer;

/**
 * A run of a handler that whoever drives a {@link SimulatedConsumer} carries out. For Contrail's
 * own modules.
 */
public final class HandlerRun {
  private final Run run;
  private final Surroundings surroundings;
  private final Consumer<Signal> signals;

  HandlerRun(Run run, Surroundings surroundings, Consumer<Signal> signals) {
    this.run = run;
    this.surroundings = surroundings;
    this.signals = signals;
  }

  public long sequence() {
    return run.message().sequence();
  }

  /** The how manieth delivery it is. */
  public long deliveries() {
    return run.deliveries();
  }

  public String subject() {
    return run.delivered().subject();
  }

  public Headers headers() {
    return run.delivered().headers();
  }

  public byte[] data() {
    return run.delivered().data();
  }

  /** Begins with it; false when it was taken back. */
  public boolean begin() {
    return run.beginWithoutThread(surroundings.nanoTime());
  }

  /** Whether it was given up after the handler's timeout, and its place given to another. */
  public boolean isAbandoned() {
    return run.isAbandoned();
  }

  /** It came to this end. */
  public void end(Outcome outcome) {
    run.end();
    signals.accept((worker, now) -> worker.ended(run.message(), outcome, now));
  }
}
