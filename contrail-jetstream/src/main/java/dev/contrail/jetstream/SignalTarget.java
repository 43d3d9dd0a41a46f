package dev.contrail.jetstream;

/** Where signals to a worker are left, from any thread. */
@FunctionalInterface
interface SignalTarget {
  void send(Signal signal);
}
