package dev.contrail.ledger.log;

import dev.contrail.ledger.LedgerEntry;
import java.util.List;

/** Somebody wants completions recorded. */
public interface Recording {
  List<? extends LedgerEntry> messages();

  /** They are stored. */
  void done();

  void fail(Throwable cause);
}
