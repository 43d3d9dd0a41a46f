package dev.contrail.server;

/** A nats-server could not be found, installed, started or ended; the message says what to do. */
public class NatsServerException extends RuntimeException {
  public NatsServerException(String message) {
    super(message);
  }

  public NatsServerException(String message, Throwable cause) {
    super(message, cause);
  }
}
