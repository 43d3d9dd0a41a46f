package dev.contrail.conformance;

/** What not every ledger can do; a suite leaves out what an adapter does not declare. */
public enum LedgerCapability {
  /** Tells a message from a completed one that had its sequence and was published earlier. */
  TELLS_REUSED_SEQUENCES,
  /** What was confirmed is still there after its server was ended and started again. */
  OUTLIVES_ITS_SERVER
}
