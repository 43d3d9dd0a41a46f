package dev.contrail.cli.replay;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.NumberValue;
import dev.contrail.operations.replay.Candidate;

/** Which version of its payload a dead letter is replayed with. */
final class PayloadVersion {
  private PayloadVersion() {}

  static final class Value extends NumberValue {
    Value() {
      super(0, 1_000_000);
    }
  }

  /**
   * Whether it can be meant.
   *
   * @throws CommandFailure when it cannot
   */
  static void check(int version, boolean byId, boolean withFile) {
    if (withFile) {
      throw CommandFailure.usage("--payload-version and --payload-file both say what; take one");
    }
    if (version > 0 && !byId) {
      throw CommandFailure.usage(
          "--payload-version "
              + version
              + " is for dead letters that their ids name; 0, the original, is for any");
    }
  }

  /**
   * With that version.
   *
   * @throws CommandFailure when there is none
   */
  static Candidate of(Candidate candidate, int version) {
    int newest = candidate.state().version();
    if (version > newest) {
      throw CommandFailure.usage(
          "--payload-version: "
              + candidate.summary().id()
              + " has no version "
              + version
              + (newest == 0
                  ? "; it was never edited"
                  : "; accepted are 0, the original, to " + newest));
    }
    return candidate.ofVersion(version);
  }
}
