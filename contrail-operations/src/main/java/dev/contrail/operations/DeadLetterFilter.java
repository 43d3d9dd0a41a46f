package dev.contrail.operations;

import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.Names;
import java.util.Optional;

/** Which dead letters are wanted; what is empty does not matter. */
public record DeadLetterFilter(
    Optional<String> stream, Optional<String> consumer, Optional<Reason> reason) {
  /** All of them. */
  public static final DeadLetterFilter ALL =
      new DeadLetterFilter(Optional.empty(), Optional.empty(), Optional.empty());

  /** What the server can tell by the subject, so that the rest is never sent. */
  String subject(Names names) {
    return names.deadLetterSubjects(stream.orElse("*"), consumer.orElse("*"));
  }

  boolean accepts(DeadLetterSummary summary) {
    return reason.map(wanted -> wanted == summary.reason()).orElse(true);
  }
}
