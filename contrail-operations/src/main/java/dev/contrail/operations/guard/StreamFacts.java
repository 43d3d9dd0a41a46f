package dev.contrail.operations.guard;

import dev.contrail.evidence.Incarnation;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamInfo;
import java.time.Instant;

/** What matters of a stream. */
record StreamFacts(RetentionPolicy retention, Instant created) {
  static StreamFacts of(StreamInfo info) {
    return new StreamFacts(
        info.getConfiguration().getRetentionPolicy(), info.getCreateTime().toInstant());
  }

  String incarnation() {
    return Incarnation.of(created);
  }
}
