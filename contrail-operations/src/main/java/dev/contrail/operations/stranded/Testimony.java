package dev.contrail.operations.stranded;

import java.time.Instant;

/**
 * An advisory, and what is there under the sequence of which it tells.
 *
 * @param subject of the message
 */
public record Testimony(Advisory advisory, String subject, Instant publishedAt) {
  /** Whether it is the same message, and not one that came to that sequence later. */
  public boolean isCredible() {
    return advisory.canTellOf(publishedAt);
  }
}
