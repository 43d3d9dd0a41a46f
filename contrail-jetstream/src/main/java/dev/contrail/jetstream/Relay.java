package dev.contrail.jetstream;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes signals to the loop. Those who send them are made before the loop is; none sends before
 * everything is in place.
 */
final class Relay implements Consumer<Signal> {
  private volatile @Nullable SignalTarget loop;

  void to(SignalTarget newLoop) {
    loop = newLoop;
  }

  @Override
  public void accept(Signal signal) {
    SignalTarget target = loop;
    if (target == null) {
      throw new IllegalStateException("a signal before the worker was there");
    }
    target.send(signal);
  }
}
