package dev.contrail.operations.burial;

import dev.contrail.evidence.OriginalMessage;
import java.time.Instant;

/** Which message it was that died, without what it holds: many are dealt with at once. */
public record Original(String subject, Instant publishedAt) {
  static Original of(OriginalMessage message) {
    return new Original(message.subject(), message.publishedAt());
  }

  /** Whether it was that one. */
  public boolean is(OriginalMessage message) {
    return equals(of(message));
  }
}
