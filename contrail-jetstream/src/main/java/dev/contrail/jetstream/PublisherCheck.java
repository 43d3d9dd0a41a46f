package dev.contrail.jetstream;

import io.nats.client.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a publisher can tell before it sends anything. */
final class PublisherCheck {
  private static final Logger log = LoggerFactory.getLogger(ContrailPublisher.class);
  private static final Duration FLUSH = Duration.ofSeconds(5);

  private PublisherCheck() {}

  /**
   * Makes sure that answers can come in.
   *
   * @throws ContrailException when this user may not subscribe to the inbox
   */
  static void mayHear(Connection connection, String inbox) {
    if (isRefused(connection, "Subscription to \"" + inbox)) {
      throw new ContrailException(
          "This user may not hear what streams answer ("
              + connection.getLastError()
              + "); docs/permissions.md lists what a publisher must be allowed.");
    }
  }

  /** Whether the server has refused this by now; waits until it has read what was sent so far. */
  static boolean isRefused(Connection connection, String what) {
    try {
      connection.flush(FLUSH);
    } catch (TimeoutException | IllegalStateException e) {
      log.debug("the server is away or slow", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Optional.ofNullable(connection.getLastError()).orElse("").contains(what);
  }

  /** Whether it is larger than the server takes, which would close the connection for it. */
  static Optional<String> tooLarge(Connection connection, Flight flight) {
    long most = connection.getMaxPayload();
    return most > 0 && flight.size() > most
        ? Optional.of(
            "with its headers it has "
                + flight.size()
                + " bytes, and the NATS server takes "
                + most
                + " at most.")
        : Optional.empty();
  }

  static void warnAbout(Connection connection) {
    if (!Contrail.isGuarded(connection)) {
      log.warn(
          "This connection may send a message hours later that it could not send before it was"
              + " lost, and so store it twice; Contrail.connect(…) or Contrail.options(…) give one"
              + " that does not.");
    }
    if (connection.getOptions().getMaxReconnect() >= 0) {
      log.warn(
          "This connection gives up after {} attempts to reconnect, and the publisher with it;"
              + " maxReconnects(-1) tries for ever.",
          connection.getOptions().getMaxReconnect());
    }
  }
}
