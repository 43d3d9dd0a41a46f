package dev.contrail.engine;

/** Makes messages in flight for tests of what carries them. */
public final class InFlights {
  private InFlights() {}

  public static <M> InFlight<M> of(M message, long sequence) {
    return new InFlight<>(message, sequence, 1, 0, 0);
  }
}
