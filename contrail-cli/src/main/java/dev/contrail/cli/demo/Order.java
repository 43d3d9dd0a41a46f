package dev.contrail.cli.demo;

/** What the demo's shop sells. */
record Order(long id, String customer, long cents, Fate fate) {
  /** What is going to happen to it; a real order does not know. */
  enum Fate {
    /** Charged at the first try. */
    FINE,
    /** The bank is busy twice and then is not. */
    BANK_BUSY,
    /** A bug in the handler: fails every time. */
    POISON,
    /** Nothing to charge: can never be processed. */
    NOTHING_TO_CHARGE
  }
}
