package dev.contrail.operations.orphans;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Messages of a stream that nobody takes, for the same reason.
 *
 * @param subjects one subject, or the filters below which they are where that is all that is known
 * @param count how many
 * @param countIs how that number is meant
 * @param bytes what they take up; estimated by the average of the stream unless they are all it has
 * @param oldest when the oldest was published, where it is known which one that is
 * @param consumers that have to do with it
 * @param why in a clause
 * @param advice a command, or where there is none what to look at
 */
public record Orphans(
    String stream,
    OrphanClass kind,
    List<String> subjects,
    long count,
    Count countIs,
    long bytes,
    boolean bytesEstimated,
    Optional<Instant> oldest,
    List<String> consumers,
    String why,
    String advice) {

  /** How a number of messages is meant. */
  public enum Count {
    EXACT,
    AT_LEAST
  }

  Orphans withOldest(Optional<Instant> published) {
    return new Orphans(
        stream,
        kind,
        subjects,
        count,
        countIs,
        bytes,
        bytesEstimated,
        published,
        consumers,
        why,
        advice);
  }
}
