package dev.contrail.operations.permissions;

import dev.contrail.jetstream.Names;

/**
 * What a command is used on.
 *
 * @param names where Contrail's own things are found
 * @param subject what is published to
 * @param fallback the subject for what no consumer claims, and the stream that takes it
 */
public record Place(
    Names names,
    String stream,
    String consumer,
    String subject,
    String fallback,
    String fallbackStream) {
  /** With words in capitals where a user puts the names of their own. */
  public static Place example(Names names) {
    return new Place(names, "STREAM", "CONSUMER", "SUBJECT", "FALLBACK", "FALLBACK_STREAM");
  }
}
