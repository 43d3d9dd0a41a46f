package dev.contrail.operations.guard;

import dev.contrail.evidence.Incarnation;
import dev.contrail.operations.stranded.Advisory;
import dev.contrail.operations.stranded.StrandedMessages;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamInfo;
import io.nats.client.api.StreamState;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What matters of a stream.
 *
 * @param domain the JetStream domain that it is in; empty where there is none
 * @param allowsDeletions whether anybody but its consumers may take messages from it
 * @param first its first message, where it has any
 * @param last the last that was published, which may be gone
 */
record StreamFacts(
    RetentionPolicy retention,
    Instant created,
    String domain,
    boolean allowsDeletions,
    Optional<Place> first,
    Optional<Place> last) {
  /** Where a message lies, and when it was published. */
  record Place(long sequence, Instant publishedAt) {
    static Optional<Place> of(long sequence, @Nullable ZonedDateTime publishedAt) {
      return Optional.ofNullable(publishedAt).map(it -> new Place(sequence, it.toInstant()));
    }
  }

  static StreamFacts of(StreamInfo info) {
    StreamState state = info.getStreamState();
    return new StreamFacts(
        info.getConfiguration().getRetentionPolicy(),
        info.getCreateTime().toInstant(),
        Advisory.domainOf(info),
        StrandedMessages.allowsDeletions(info.getConfiguration()),
        state.getMsgCount() == 0
            ? Optional.empty()
            : Place.of(state.getFirstSequence(), state.getFirstTime()),
        Place.of(state.getLastSequence(), state.getLastTime()));
  }

  /**
   * When a message that is gone was published at the earliest, as far as its neighbours tell: one
   * of a lower sequence was published before it.
   */
  Optional<Instant> earliest(long sequence) {
    return last.filter(it -> it.sequence() == sequence)
        .or(() -> first.filter(it -> it.sequence() < sequence))
        .map(Place::publishedAt);
  }

  boolean isWorkQueue() {
    return retention == RetentionPolicy.WorkQueue;
  }

  String incarnation() {
    return Incarnation.of(created);
  }
}
