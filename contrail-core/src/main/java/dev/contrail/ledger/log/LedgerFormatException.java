package dev.contrail.ledger.log;

/** A record of the ledger is damaged, or of a release that is newer than this. */
public final class LedgerFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LedgerFormatException(String message) {
    super(message);
  }

  LedgerFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
