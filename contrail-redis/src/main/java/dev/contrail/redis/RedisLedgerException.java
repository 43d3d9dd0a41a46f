package dev.contrail.redis;

/** Redis cannot be used as a ledger, now or at all; the message is one sentence for people. */
public sealed class RedisLedgerException extends RuntimeException
    permits RedisUnavailableException {
  RedisLedgerException(String message) {
    super(message);
  }

  RedisLedgerException(String message, Throwable cause) {
    super(message, cause);
  }
}
