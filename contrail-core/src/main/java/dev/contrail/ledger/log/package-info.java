/**
 * The ledger that is a log of records: their format, what they add up to, and the one writer who
 * commits in groups. No I/O; {@link dev.contrail.ledger.log.LedgerLog} is where to begin.
 */
@NullMarked
package dev.contrail.ledger.log;

import org.jspecify.annotations.NullMarked;
