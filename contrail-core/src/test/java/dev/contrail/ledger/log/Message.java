package dev.contrail.ledger.log;

import dev.contrail.ledger.LedgerEntry;

/** A message of the stream whose completions are kept: a sequence used again is another message. */
record Message(long sequence, long publishedMillis) implements LedgerEntry {
  @Override
  public String toString() {
    return sequence + "@" + publishedMillis;
  }
}
