package dev.contrail.redis;

/** Redis cannot be reached; it may be there later. */
public final class RedisUnavailableException extends RedisLedgerException {
  RedisUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
