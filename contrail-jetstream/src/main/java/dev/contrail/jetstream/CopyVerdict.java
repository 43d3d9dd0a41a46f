package dev.contrail.jetstream;

import dev.contrail.event.ReplayCopy;
import dev.contrail.event.Step;

/** What is to be done with a message that claims to be a copy which a replay published. */
sealed interface CopyVerdict {
  /**
   * It is one, and this consumer runs it.
   *
   * @param replay what was decided
   */
  record MayRun(ReplayCopy copy, Step.Replay replay) implements CopyVerdict {}

  /** It is none: its headers are forged, or were passed on from a copy to another message. */
  enum Ordinary implements CopyVerdict {
    ORDINARY
  }

  /** The replay has its outcome, or the copy is meant for another consumer: not to be run. */
  enum Settled implements CopyVerdict {
    SETTLED
  }

  /**
   * Another copy of the same replay may run, and its outcome is not known yet; or it is not known
   * yet what was decided, and so whether it is a copy at all.
   */
  enum Held implements CopyVerdict {
    HELD
  }
}
