package dev.contrail.evidence;

import dev.contrail.Headers;
import java.time.Instant;
import java.util.Arrays;

/**
 * A message as its stream stored it. The arrays are not copied and must not be changed.
 *
 * @param publishedAt when the stream stored it
 * @param headerBlock the bytes of its header block, version line included; no bytes where the
 *     message has no headers
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content below
public record OriginalMessage(
    String subject, Instant publishedAt, byte[] headerBlock, byte[] payload) {
  /** For a message whose header bytes are not at hand, or have nothing unusual in them. */
  public static OriginalMessage of(
      String subject, Instant publishedAt, Headers headers, byte[] payload) {
    return new OriginalMessage(subject, publishedAt, headers.block(), payload);
  }

  public Headers headers() {
    return Headers.parse(headerBlock);
  }

  /** In lower-case hex. */
  public String payloadSha256() {
    return Sha256.hex(payload);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OriginalMessage message
        && subject.equals(message.subject)
        && publishedAt.equals(message.publishedAt)
        && Arrays.equals(headerBlock, message.headerBlock)
        && Arrays.equals(payload, message.payload);
  }

  @Override
  public int hashCode() {
    return 31 * subject.hashCode() + Arrays.hashCode(payload);
  }

  @Override
  public String toString() {
    return "OriginalMessage[subject=%s, publishedAt=%s, headerBlock=%d bytes, payload=%d bytes]"
        .formatted(subject, publishedAt, headerBlock.length, payload.length);
  }
}
