package dev.contrail.server;

/** Another process listens on the port that the server was told to use. */
final class PortTakenException extends NatsServerException {
  PortTakenException(String message) {
    super(message);
  }
}
