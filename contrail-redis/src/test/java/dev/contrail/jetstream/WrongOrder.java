package dev.contrail.jetstream;

/** What a worker could do wrong around its ledger. */
public enum WrongOrder {
  NONE(""),
  ACK_BEFORE_RECORD("was acked and is not recorded"),
  NAK_WHEN_A_RECORD_FAILED("was returned although it is done"),
  ACK_WHEN_A_LOOK_UP_FAILED("was acked and is not recorded");

  /** How the violation that it brings about is worded. */
  public final String noticedAs;

  WrongOrder(String noticedAs) {
    this.noticedAs = noticedAs;
  }
}
