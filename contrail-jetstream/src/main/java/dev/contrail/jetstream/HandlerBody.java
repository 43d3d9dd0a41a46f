package dev.contrail.jetstream;

import dev.contrail.Codec;
import dev.contrail.Handler;
import dev.contrail.Headers;
import dev.contrail.engine.InFlight;
import dev.contrail.engine.Outcome;
import java.util.function.Consumer;

/** Decodes a message and runs the handler on it, whatever they throw. */
final class HandlerBody<T> implements Consumer<Run> {
  /** Made beforehand, for when there is no memory to make another. */
  private static final Outcome BROKEN =
      Outcome.failed(new IllegalStateException("the outcome of the handler could not be kept"));

  private final ConsumerIdentity identity;
  private final Codec<T> codec;
  private final Handler<T> handler;
  private final Consumer<Signal> signals;
  private final Pulse pulse;
  private final Tally tally;

  HandlerBody(
      ConsumerIdentity identity,
      Codec<T> codec,
      Handler<T> handler,
      Consumer<Signal> signals,
      Pulse pulse,
      Tally tally) {
    this.identity = identity;
    this.codec = codec;
    this.handler = handler;
    this.signals = signals;
    this.pulse = pulse;
    this.tally = tally;
  }

  @Override
  public void accept(Run run) {
    if (!pulse.await()) {
      return;
    }
    long begun = System.nanoTime();
    if (!run.begin(begun)) {
      return;
    }
    Outcome outcome = BROKEN;
    try {
      outcome = outcome(run);
    } finally {
      // Whatever happened, the worker must hear of it, or the message would be held for ever.
      run.end();
      tell(run.message(), outcome);
    }
    if (tally.isMeasured()) {
      tally.handled(outcome instanceof Outcome.Done, System.nanoTime() - begun);
    }
  }

  private void tell(InFlight<Delivered> message, Outcome outcome) {
    signals.accept((worker, now) -> worker.ended(message, outcome, now));
  }

  private Outcome outcome(Run run) {
    JetStreamDelivery<T> delivery;
    try {
      Headers headers = run.delivered().headers();
      T payload = codec.decode(run.delivered().data(), headers);
      delivery = new JetStreamDelivery<>(identity, run, payload, headers);
    } catch (Throwable e) {
      return new Outcome.Undecodable(e);
    }
    try {
      handler.handle(delivery);
      return Outcome.Done.DONE;
    } catch (Throwable e) {
      // Errors too: a message whose handler runs out of memory or stack has failed like any other.
      return Outcome.failed(e);
    }
  }
}
