package dev.contrail.server;

/** A redis-server could not be found, started or ended; the message says what to do. */
public final class RedisServerException extends RuntimeException {
  RedisServerException(String message) {
    super(message);
  }
}
