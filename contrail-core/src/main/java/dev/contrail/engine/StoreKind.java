package dev.contrail.engine;

/** The stores outside the source stream that a worker depends on. */
public enum StoreKind {
  DEAD_LETTERS,
  NOTES,
  LEDGER,
  /** What is kept of replays, for messages that one published. */
  EVENTS
}
