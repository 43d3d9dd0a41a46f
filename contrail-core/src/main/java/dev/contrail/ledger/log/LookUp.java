package dev.contrail.ledger.log;

import dev.contrail.ledger.LedgerEntry;
import java.util.BitSet;
import java.util.List;

/** Somebody wants to know which messages are completed. */
public interface LookUp {
  List<? extends LedgerEntry> messages();

  /** The positions of those that are. */
  void answer(BitSet completed);

  void fail(Throwable cause);
}
