package dev.contrail.bench;

/** There is no Redis server where one was said to be. */
public final class NoRedisException extends BenchException {
  private static final long serialVersionUID = 1L;

  NoRedisException(String message, Throwable cause) {
    super(message, cause);
  }
}
