package dev.contrail.testkit;

import dev.contrail.Durations;
import dev.contrail.failure.Failure;
import dev.contrail.jetstream.StepResult;

/** Says what became of a message. */
final class Words {
  private Words() {}

  /** Such as “message 3 (delivery 1) was acked”. */
  static String of(StepResult result) {
    return "message "
        + result.sequence()
        + " (delivery "
        + result.deliveryCount()
        + ") "
        + fate(result);
  }

  private static String fate(StepResult result) {
    if (result instanceof StepResult.Acked) {
      return "was run and acked";
    }
    if (result instanceof StepResult.AckedUnrun) {
      return "was acked without being run, for its completion was recorded before";
    }
    if (result instanceof StepResult.Retried retried) {
      return "comes again after "
          + Durations.format(retried.delay())
          + (retried.shortened() ? ", the longest delay allowed," : "")
          + ", for it failed with "
          + Failure.headline(retried.cause());
    }
    if (result instanceof StepResult.DeadLettered dead) {
      return "was dead-lettered as "
          + dead.letter().death().reason().text()
          + ", for it failed with "
          + Failure.headline(dead.cause());
    }
    if (result instanceof StepResult.AlreadyDead) {
      return "was terminated without being run, for it had been dead-lettered before";
    }
    return "was let go, for its lease was lost";
  }
}
