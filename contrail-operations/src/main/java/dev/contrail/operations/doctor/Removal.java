package dev.contrail.operations.doctor;

import dev.contrail.jetstream.doctor.Finding;
import io.nats.client.api.RetentionPolicy;

/** What it means to remove a consumer. */
final class Removal {
  private Removal() {}

  /** The finding, with a warning where the command that mends it would delete messages. */
  static Finding saysWhatItDeletes(Survey.SurveyedStream stream, Finding finding) {
    boolean deletes =
        stream.configuration().getRetentionPolicy() == RetentionPolicy.Interest
            && finding.mend().stream().anyMatch(command -> command.startsWith("nats consumer rm "));
    return deletes
        ? finding.because(
            finding.why()
                + "; to remove it from an interest stream deletes what it alone has yet to read, so"
                + " let it run empty first")
        : finding;
  }
}
