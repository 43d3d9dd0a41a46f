package dev.contrail.simulation;

import java.util.Locale;

/** What must hold in every schedule, whatever happens. */
public enum Invariant {
  NOTHING_VANISHES("a message is left to nobody only when it is completed or a dead letter"),
  EVIDENCE_FIRST("a message is terminated only after its dead letter is stored, whole"),
  RECORD_FIRST("a message is acked only after its completion is recorded"),
  ONE_DEAD_LETTER("one death has one dead letter"),
  NO_RUN_AFTER_RECORD("no run starts after the completion was recorded"),
  CURRENT_LOOK_UPS("a look-up covers all that was recorded before it was asked for"),
  HELD_IN_AN_OUTAGE("what waits for a store is held, and not delivered again"),
  RETRY_WINDOW("a failure declared transient kills nothing within the retry window"),
  INTENT_SURVIVES("a delay that the handler chose reaches the server unchanged"),
  SILENT_WITHOUT_LEASE("nothing is sent for a message whose lease is over"),
  REPLAYED_ONCE("of all copies that a replay publishes one is run, and its outcome is told once"),
  AUDIT_HAS_NO_GAP("the audit accounts for every message at any time, and tells what became of it"),
  KEPT_BEFORE_RELEASE(
      "a guard takes a message from its stream only after its dead letter is stored, whole"),
  RELEASED_IN_PEACE("a guard takes only what its consumer will not be given again"),
  KILLERS_ARE_BLAMED("only a message whose run was noted is blamed for the end of its worker"),
  NO_STEP_FAILS("no step of a worker fails by a bug"),
  COMES_TO_REST("when all faults are over, everything is settled");

  private final String meaning;

  Invariant(String meaning) {
    this.meaning = meaning;
  }

  /** What it says, in a sentence. */
  public String meaning() {
    return meaning;
  }

  /** As people read it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
