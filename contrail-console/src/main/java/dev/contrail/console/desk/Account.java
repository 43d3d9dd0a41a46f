package dev.contrail.console.desk;

import dev.contrail.jetstream.Names;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;

/**
 * The account that a service works on.
 *
 * @param connection is not closed by the service
 * @param server the server for people to read, without passwords
 */
public record Account(
    Connection connection, JetStreamOptions jetStream, Names names, String server) {
  /**
   * Looks whether the server can be asked: a question would only be waited for until it times out,
   * by a thread that others wait for.
   *
   * @throws Refusal when it cannot
   */
  void requireConnected() {
    if (connection.getStatus() != Connection.Status.CONNECTED) {
      throw new Refusal(
          Refusal.Kind.UNAVAILABLE, "There is no connection to the NATS server at the moment.");
    }
  }
}
