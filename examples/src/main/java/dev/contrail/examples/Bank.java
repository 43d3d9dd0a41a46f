package dev.contrail.examples;

/** Something that the handler depends on, and that is not always there. */
interface Bank {
  /**
   * Charges once for each key, however often it is called with it.
   *
   * @throws BankBusyException when it cannot right now
   */
  void charge(Order order, String idempotencyKey) throws BankBusyException;
}
