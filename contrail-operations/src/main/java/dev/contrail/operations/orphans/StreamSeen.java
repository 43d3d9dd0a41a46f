package dev.contrail.operations.orphans;

import dev.contrail.operations.stranded.Observation;
import dev.contrail.operations.stranded.Stranding;
import io.nats.client.api.RetentionPolicy;
import java.util.List;

/**
 * What the server told of a stream.
 *
 * @param messages all that it holds
 * @param consumersAndSubjects its consumers and what it has of each subject
 * @param strandings what its consumers will not be given again
 * @param durables its durable consumers
 */
record StreamSeen(
    String stream,
    RetentionPolicy retention,
    long messages,
    long bytes,
    Observation consumersAndSubjects,
    List<Stranding> strandings,
    List<Durable> durables) {

  /** What so many of its messages take up, by their average; all of them exactly. */
  long bytesOf(long count) {
    if (count >= messages) {
      return bytes;
    }
    return messages == 0 ? 0 : Math.round((double) bytes / messages * count);
  }
}
