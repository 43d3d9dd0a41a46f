package dev.contrail.examples;

/** The bank cannot take the charge right now. */
final class BankBusyException extends Exception {
  private static final long serialVersionUID = 1L;

  BankBusyException() {
    super("the bank is busy");
  }
}
