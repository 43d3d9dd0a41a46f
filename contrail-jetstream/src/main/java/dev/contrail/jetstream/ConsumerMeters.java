package dev.contrail.jetstream;

/**
 * Measures consumers in whatever an application measures with. For Micrometer there is {@link
 * dev.contrail.jetstream.micrometer.ContrailMeters}.
 */
public interface ConsumerMeters {
  /** Measures none. */
  ConsumerMeters NONE = figures -> Meter.NONE;

  /**
   * A consumer starts to work.
   *
   * @param figures to be read whenever somebody wants to know, from any thread
   */
  Meter open(ConsumerFigures figures);

  /**
   * Measures one consumer. Is called from several threads, in the middle of the work, for every
   * message: must be quick, and must not throw.
   */
  interface Meter extends AutoCloseable {
    /** Measures nothing. */
    Meter NONE = () -> {};

    /** A handler was run, decoding included, and returned ({@code done}) or failed. */
    default void handled(boolean done, long nanos) {}

    /** A message was delivered that had been delivered before. */
    default void redelivered(String subject) {}

    /** The ledger confirmed so many completions, that long after it was asked to keep them. */
    default void committed(int completions, long nanos) {}

    /** The consumer was looked at on the server: some figures may be known that were not before. */
    default void looked() {}

    /** The consumer has ended: its figures do not change any more. */
    @Override
    void close();
  }
}
