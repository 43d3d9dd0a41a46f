package dev.contrail.cli.drill.report;

/**
 * What a consumer and its ledger go by, as the server has it.
 *
 * @param effectiveAckWaitMillis how late a delivery may come by configuration: the largest of
 *     AckWait, BackOff and the longest retry delay
 * @param ledgerMaxAgeMillis after which the ledger forgets; 0 for never, -1 where nobody knows
 */
public record Timing(long ackWaitMillis, long effectiveAckWaitMillis, long ledgerMaxAgeMillis) {
  /** Of a ledger that is not Contrail's, if there is one. */
  public static final long NOT_KNOWN = -1;

  public static final Timing UNKNOWN = new Timing(0, 0, NOT_KNOWN);
}
