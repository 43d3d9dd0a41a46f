package dev.contrail.jetstream;

/** Where a worker stops on the way of a message, so that it can be killed right there. */
enum Fault {
  BEFORE_EVIDENCE,
  BETWEEN_PARTS_AND_HEAD,
  AFTER_EVIDENCE,
  AFTER_TERM,
  /** The wrong order: terminates first, and stops before the evidence is stored. */
  TERM_FIRST_THEN_BEFORE_EVIDENCE,
  BEFORE_RECORD,
  AFTER_RECORD,
  AFTER_ACK,
  /** The wrong order: acks first, and stops before the completion is recorded. */
  ACK_FIRST_THEN_BEFORE_RECORD,
  /** Of a copy that a replay published. */
  BEFORE_CLAIM,
  AFTER_CLAIM,
  BEFORE_OUTCOME,
  AFTER_OUTCOME,
  /** The wrong order: terminates a copy that died, and stops before that is told. */
  TERM_FIRST_THEN_BEFORE_OUTCOME,
  /** The wrong way: runs copies that nobody claimed. Stops nowhere. */
  NO_CLAIM
}
