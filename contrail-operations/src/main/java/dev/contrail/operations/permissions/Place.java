package dev.contrail.operations.permissions;

import dev.contrail.jetstream.Names;

/**
 * What a command is used on.
 *
 * @param names what Contrail's own streams and subjects are called
 * @param subject what is published to the stream, and published again by a replay; may have
 *     wildcards
 * @param target where {@code --to} and {@code --fallback} go
 * @param targetStream the stream that takes the target
 * @param oldStream where {@code dlq import --from-stream} reads
 */
public record Place(
    Names names,
    String stream,
    String consumer,
    String subject,
    String target,
    String targetStream,
    String oldStream) {
  /** With words in capitals where a user puts names of their own. */
  public static Place example(Names names) {
    return new Place(
        names, "STREAM", "CONSUMER", "SUBJECT", "TARGET", "TARGET_STREAM", "OLD_STREAM");
  }
}
