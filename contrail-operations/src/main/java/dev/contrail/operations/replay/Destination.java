package dev.contrail.operations.replay;

import dev.contrail.event.Step;
import dev.contrail.plan.Outlook;
import java.time.Duration;
import java.util.Optional;

/**
 * Where a copy goes.
 *
 * @param consumer for whom it is; empty where any consumer of the stream may take it
 * @param duplicateWindow for how long the stream knows ids again
 */
record Destination(
    String subject,
    String stream,
    Optional<String> consumer,
    Outlook outlook,
    Duration duplicateWindow) {
  /** Whether this is where the copy of that replay was to go. */
  boolean isOf(Step.Replay replay) {
    return replay.subject().equals(subject)
        && replay.stream().equals(stream)
        && replay.consumer().equals(consumer);
  }

  /**
   * The same as it was known when the replay was decided on: what somebody else was given then may
   * be processed, though workers of Contrail would tell by now.
   */
  Destination asDecided(Step.Replay replay) {
    return outlook == Outlook.TOLD && !replay.told().orElse(true)
        ? new Destination(subject, stream, consumer, Outlook.UNKNOWN, duplicateWindow)
        : this;
  }

  /** Why the copy of that replay is not published here. */
  String insteadOf(Step.Replay replay) {
    return "it was decided on for "
        + words(replay.subject(), replay.stream(), replay.consumer())
        + ", and would go to "
        + words(subject, stream, consumer)
        + " now; replay it again";
  }

  private static String words(String subject, String stream, Optional<String> consumer) {
    return subject
        + " of stream "
        + stream
        + consumer.map(name -> " and consumer " + name).orElse(" and any consumer");
  }
}
