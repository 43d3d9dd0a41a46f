package dev.contrail.operations.index;

import dev.contrail.evidence.Reason;
import java.time.Instant;

/**
 * The open dead letters of a stream that died for the same reason.
 *
 * @param oldest when the first of them died
 */
public record OpenTotal(String stream, Reason reason, long count, Instant oldest) {
  OpenTotal and(CompactEntry entry) {
    return new OpenTotal(
        stream, reason, count + 1, entry.deadAt().isBefore(oldest) ? entry.deadAt() : oldest);
  }
}
