package dev.contrail.jetstream;

import dev.contrail.Headers;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import java.time.Instant;
import java.util.Base64;
import java.util.Objects;

/**
 * A message read from a stream by the API, whatever bytes its headers hold.
 *
 * @param headerBlock the header block as it is stored, empty when there is none
 */
public record StoredMessage(
    String subject, long sequence, Instant time, byte[] headerBlock, byte[] data) {

  static StoredMessage of(JsonValue answer) {
    JsonValue message = Objects.requireNonNull(JsonValueUtils.readObject(answer, "message"));
    return new StoredMessage(
        JsonValueUtils.readString(message, "subject", ""),
        JsonValueUtils.readLong(message, "seq", 0),
        Objects.requireNonNull(JsonValueUtils.readDate(message, "time")).toInstant(),
        base64(message, "hdrs"),
        base64(message, "data"));
  }

  public Headers headers() {
    return headerBlock.length == 0 ? Headers.none() : Headers.parse(headerBlock);
  }

  private static byte[] base64(JsonValue message, String field) {
    return Base64.getDecoder().decode(JsonValueUtils.readString(message, field, ""));
  }
}
