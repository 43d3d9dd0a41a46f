package dev.contrail.bench;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import java.io.IOException;

/** A contender that can be put to work. */
interface Racer {
  /** A consumer at work. */
  interface Running extends AutoCloseable {
    @Override
    void close() throws InterruptedException;
  }

  /** The connection it works on. */
  Connection connect() throws IOException, InterruptedException;

  /** Begins to consume. */
  Running start(Connection connection, Place place, Work work)
      throws IOException, JetStreamApiException;

  /** Deletes what it left behind of that consumer, other than the consumer itself. */
  default void forget(Place place) {}
}
