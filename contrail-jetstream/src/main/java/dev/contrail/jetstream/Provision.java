package dev.contrail.jetstream;

/** What to do about a stream or bucket of Contrail's own that is missing. */
public enum Provision {
  /** Create it. */
  CREATE,

  /** Fail, and say what is missing; for accounts that may not create streams. */
  VERIFY
}
